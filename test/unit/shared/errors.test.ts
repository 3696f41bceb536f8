import { describe, expect, test } from "@jest/globals";
import { ERROR_CODES } from "../../../shared/contract/error-codes.ts";
import { AppError, errorCode, isAppError } from "../../../shared/errors.ts";
import { publicError } from "../../../shared/moleculer/action-edge.ts";

const named = (name: string, extra: object = {}, message = "canary text of a driver") =>
  Object.assign(new Error(message), { name, ...extra });

describe("AppError", () => {
  test("takes its status from the table, and another where the place says so", () => {
    expect(new AppError("Country.NotFound", "x").code).toBe(400);
    expect(new AppError("Country.NotFound", "x", {}, 404).code).toBe(404);
  });

  test("carries to the caller what is given, and keeps the cause to itself", () => {
    const details = [{ field: "email", code: "Validation", message: "is missing" }];
    const error = new AppError("Validation", "x", {
      details,
      retryAfterSeconds: 3,
      cause: new Error("canary"),
    });
    expect(error.data).toEqual({ details, retryAfterSeconds: 3 });
    expect(JSON.stringify(error.data)).not.toContain("canary");
  });

  test("is known again after it lost its class on the way between processes", () => {
    const { name, message, code, type, data } = new AppError("Customer.NotFound", "x");
    const arrived = Object.assign(new Error(message), { name, code, type, data });
    expect(isAppError(arrived)).toBe(true);
    expect(errorCode(arrived)).toBe("Customer.NotFound");
  });

  test.each([
    [null],
    [undefined],
    ["AppError"],
    [{ name: "AppError", type: "x", code: 1 }],
    [new Error("x")],
  ])("%p is none", (value) => {
    expect(isAppError(value)).toBe(false);
  });
});

describe("error codes", () => {
  test("each is of product words and has an error status", () => {
    const isWrong = ([code, [status]]: [string, readonly [number, string, string]]) =>
      !/^[A-Z][A-Za-z]+(\.[A-Z][A-Za-z0-9]+)?$/.test(code) || status < 400 || status >= 600;
    expect(Object.entries(ERROR_CODES).filter(isWrong)).toEqual([]);
  });
});

describe("publicError", () => {
  test("an AppError passes as it is", () => {
    const error = new AppError("Customer.NotFound", "x");
    expect(publicError(error)).toBe(error);
  });

  test("a database that is away: 503, with nothing of the driver's text", () => {
    const failure = publicError(named("MongoNetworkError"));
    expect(failure).toMatchObject({ type: "Service.Unavailable", code: 503 });
    expect(failure.message).not.toContain("canary");
  });

  test.each([
    [{ type: "REQUEST_TIMEOUT", code: 504 }],
    [{ type: "SERVICE_NOT_FOUND", code: 404 }],
    [{ type: "SERVICE_NOT_AVAILABLE", code: 405 }],
    [{ type: "QUEUE_FULL", code: 429 }],
    [{ type: "REQUEST_REJECTED", code: 503 }],
  ])("a call that did not get through (%j): 503 with Retry-After", (extra) => {
    const told = publicError(named("MoleculerError", extra));
    expect(told).toMatchObject({ type: "Service.Unavailable", code: 503, data: { retryAfterSeconds: 1 } });
    expect(told.message).not.toContain("canary");
  });

  test.each<[string, unknown]>([
    ["a driver's duplicate key", named("MongoServerError", { code: 11_000 })],
    ["a programming error", new TypeError("canary is not a function")],
    ["an HTTP-like code of a stranger", named("AxiosError", { code: 404 })],
    ["a text", "canary"],
    ["nothing", undefined],
    ["an object with a type", { type: "Customer.NotFound", message: "canary" }],
  ])("%s: 500 Service.Error with a fixed text, the cause kept for the log", (_, failure) => {
    const told = publicError(failure);
    expect(told).toMatchObject({
      type: "Service.Error",
      code: 500,
      message: "Something went wrong on our side. Quote the requestId when you ask for help.",
    });
    expect(JSON.stringify(told)).not.toContain("canary");
    expect(told.cause).toBe(failure);
  });
});
