/** Answers of a service as callers get them, and the texts that an error may show. */
import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../../../shared/errors.ts";
import { isUuid, randomId } from "../../../../shared/ids.ts";
import { sendRaw } from "../../../support/http/raw-http.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { CASES, callersOfPart, LIST, stageOfPart, throws } from "../shared-stage.ts";

const CANARY = "canary-9c1d";

const stage = stageOfPart();
const callers = callersOfPart(stage);
const cases = () => stage.request(CASES, { headers: callers.analyst });

describe("a success", () => {
  test.each<[string, unknown, object]>([
    ["an object", { a: 1 }, { isSuccess: true, value: { a: 1 } }],
    ["a list", [1, 2], { isSuccess: true, value: [1, 2] }],
    ["zero", 0, { isSuccess: true, value: 0 }],
    ["false", false, { isSuccess: true, value: false }],
    ["an empty text", "", { isSuccess: true, value: "" }],
    [
      "what looks like a Buffer",
      { type: "Buffer", data: [1] },
      { isSuccess: true, value: { type: "Buffer", data: [1] } },
    ],
  ])("for a partner, of %s: {isSuccess, value}", async (_, value, body) => {
    stage.script("profile.list", () => value);
    expect(await callers.list()).toMatchObject({ status: 200, body });
  });

  test("without a value: {isSuccess} alone for a partner, value null for a person", async () => {
    stage.script("profile.list", async () => null);
    expect((await callers.list()).body).toEqual({ isSuccess: true });
    stage.script("profile.listCases", async () => undefined);
    expect((await cases()).body).toEqual({ value: null, isSuccess: true, error: null });
  });

  test("for a person: {value, isSuccess, error}", async () => {
    stage.script("profile.listCases", () => ({ items: [] }));
    expect((await cases()).body).toEqual({ value: { items: [] }, isSuccess: true, error: null });
  });

  test("errors of an OAuth endpoint have the shape of the standard", async () => {
    const answer = await stage.request("/oauth2/jwks");
    expect(Object.keys(answer.body)).toEqual(["keys"]);
  });

  test("headers and status of the action are those of the answer", async () => {
    stage.script("profile.list", ({ meta }) => {
      meta.$responseHeaders = { ETag: '"7"', "Set-Cookie": ["a=1", "b=2"] };
      meta.$statusCode = 202;
      return {};
    });
    const answer = await callers.list();
    expect(answer.status).toBe(202);
    expect(answer.headers.get("etag")).toBe('"7"');
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  test("a header with a line feed in it does not become two", async () => {
    stage.script("profile.list", ({ meta }) => {
      meta.$responseHeaders = { "X-Echo": "a\r\nX-Injected: 1" };
      return {};
    });
    const answer = await callers.list();
    expect(answer.headers.get("x-injected")).toBeNull();
  });

  test("is never stored by a cache, and never turned into 304 by a caller's If-None-Match", async () => {
    const answer = await callers.list({ "If-None-Match": "*" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("a refusal by a service", () => {
  const details = [
    { field: "businessPersonList[0].nationality", code: "ValidationControl.Error", message: "is missing" },
  ];
  const refusal = () => new AppError("ValidationControl.Error", "The body is not valid.", { details });

  test("for a partner: code, message, request id and every detail, over NATS", async () => {
    stage.script("profile.list", throws(refusal()));
    const answer = await callers.list();
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      isSuccess: false,
      error: {
        code: "ValidationControl.Error",
        message: "The body is not valid.",
        requestId: answer.headers.get("svc-request-id"),
        details,
        docsUrl: expect.stringMatching(/\/docs\/errors#ValidationControl\.Error$/),
      },
    });
  });

  test("for a person: code, description, request id and every detail", async () => {
    stage.script("profile.listCases", throws(refusal()));
    const answer = await cases();
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      value: null,
      isSuccess: false,
      error: {
        code: "ValidationControl.Error",
        description: "The body is not valid.",
        requestId: answer.headers.get("svc-request-id"),
        details,
        docsUrl: expect.stringMatching(/\/docs\/errors#ValidationControl\.Error$/),
      },
    });
  });

  test("with a status of the place, headers and Retry-After: all arrive", async () => {
    stage.script(
      "profile.list",
      throws(new AppError("Country.NotFound", "x", { retryAfterSeconds: 7, headers: { "X-Why": "y" } }, 404)),
    );
    const answer = await callers.list();
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "Country.NotFound", details: [] } } });
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(answer.headers.get("x-why")).toBe("y");
  });

  test("is not logged as an error", async () => {
    stage.script("profile.list", throws(refusal()));
    const requestId = randomId();
    await callers.list({ "Svc-Request-Id": requestId });
    await stage.lineOf(requestId);
    expect(stage.lines().filter((line) => line.requestId === requestId && line.level === "error")).toEqual(
      [],
    );
  });
});

describe("a failure inside a service", () => {
  const driverError = () =>
    Object.assign(new Error(`E11000 duplicate key { email: "${CANARY}" } at mongodb://10.0.0.1`), {
      name: "MongoServerError",
      code: 11_000,
      data: { op: { email: CANARY } },
    });

  test.each<[string, () => unknown]>([
    ["a driver's error", driverError],
    ["a programming error", () => new TypeError(`${CANARY} is not a function`)],
    [
      "an error with an HTTP code of its own",
      () => Object.assign(new Error(CANARY), { code: 404, type: "X", data: { CANARY } }),
    ],
    ["a text", () => CANARY],
  ])("%s: 500 Service.Error with a fixed text and the request id, nothing else", async (_, error) => {
    stage.script("profile.list", throws(error()));
    const answer = await callers.list();
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      isSuccess: false,
      error: {
        code: "Service.Error",
        message: "Something went wrong on our side. Quote the requestId when you ask for help.",
        requestId: answer.headers.get("svc-request-id"),
        details: [],
        docsUrl: expect.stringMatching(/\/docs\/errors#Service\.Error$/),
      },
    });
    for (const [name, value] of answer.headers) expect(`${name}: ${value}`).not.toContain(CANARY);
  });

  test("is in the log with its stack under the request id that the caller was told", async () => {
    stage.script("profile.list", throws(new TypeError("inner words")));
    const requestId = randomId();
    await callers.list({ "Svc-Request-Id": requestId });
    const line = await waitFor(
      () => stage.lines().find((one) => one.requestId === requestId && one.level === "error"),
      {
        what: "the error line",
      },
    );
    expect(line).toMatchObject({
      msg: "action.failed",
      action: "profile.list",
      err: { message: "inner words" },
    });
  });

  test("the database away: 503 Service.Unavailable with Retry-After", async () => {
    stage.script(
      "profile.list",
      throws(Object.assign(new Error("connect ECONNREFUSED"), { name: "MongoServerSelectionError" })),
    );
    const answer = await callers.list();
    expect(answer).toMatchObject({ status: 503, body: { error: { code: "Service.Unavailable" } } });
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.text).not.toContain("ECONNREFUSED");
  });
});

describe("the request id", () => {
  test.each([["a"], ["a".repeat(64)], ["My-Trace_1.2:3"]])(
    "%s: kept in header, body, log and the call",
    async (id) => {
      stage.script("profile.list", throws(new AppError("Customer.NotFound", "x")));
      const answer = await callers.list({ "Svc-Request-Id": id });
      expect(answer.headers.get("svc-request-id")).toBe(id);
      expect(answer.body).toMatchObject({ error: { requestId: id } });
      expect(stage.calls[0]?.meta.requestId).toBe(id);
      expect(await stage.lineOf(id)).toMatchObject({ requestId: id, status: 404 });
    },
  );

  test.each([[""], ["a".repeat(65)], ["a b"], ["a/b"], ["a<b>"], ['a"b'], ["{}"], ["é"], ["a,b"]])(
    "%j: replaced by a new one",
    async (id) => {
      const answer = await sendRaw(
        stage.gateway.url,
        Buffer.from(
          `GET /api/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\nSvc-Request-Id: ${id}\r\n\r\n`,
          "latin1",
        ),
      );
      expect(answer.status).toBe(200);
      expect(isUuid(answer.headers.get("svc-request-id"))).toBe(true);
    },
  );

  test("given twice: replaced", async () => {
    const answer = await sendRaw(
      stage.gateway.url,
      "GET /api/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\nSvc-Request-Id: a\r\nSvc-Request-Id: b\r\n\r\n",
    );
    expect(isUuid(answer.headers.get("svc-request-id"))).toBe(true);
  });

  test.each([["X-Request-Id"], ["X-Correlation-Id"]])(
    "%s of a stranger: not taken and not echoed",
    async (name) => {
      const answer = await callers.list({ [name]: CANARY });
      for (const [, value] of answer.headers) expect(value).not.toContain(CANARY);
      expect(stage.calls[0]?.meta.requestId).not.toBe(CANARY);
    },
  );

  test("the caller's trace goes on into the call", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    await callers.list({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    expect(stage.calls[0]?.meta.traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  });

  test("meta that a caller would like to set: stays the gateway's", async () => {
    await stage.request(`${LIST}?companyName[kind]=analyst&cursor[partnerId]=x`, {
      headers: { ...callers.partner, caller: "x", meta: "{}" },
    });
    expect(stage.calls[0]?.meta.caller).toMatchObject({ kind: "partner", partnerId: callers.partnerId });
  });
});
