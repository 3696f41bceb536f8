import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../../shared/errors.ts";
import { createLogger, type Logger } from "../../../shared/telemetry/logger.ts";
import { SECRET_KEYS } from "../../../shared/telemetry/redaction.ts";

const CANARY = "canary-7f3a9e";

function capture(): { logger: Logger; lines(): Record<string, unknown>[]; text(): string } {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
  };
  const logger = createLogger({ logLevel: "trace", process: "gateway" }, { write });
  const lines = () => Array.from(text.trimEnd().split("\n"), (line) => JSON.parse(line));
  return { logger, text: () => text, lines };
}

describe("logger redaction", () => {
  const places: [string, (key: string) => object][] = [
    ["at the top", (key) => ({ [key]: CANARY })],
    ["one level down", (key) => ({ request: { [key]: CANARY } })],
    ["three levels down", (key) => ({ a: { b: { c: { [key]: CANARY } } } })],
    ["in a list", (key) => ({ people: [{ identities: [{ [key]: CANARY }] }] })],
    ["as an object", (key) => ({ [key]: { inner: CANARY } })],
    ["in upper case", (key) => ({ request: { [key.toUpperCase()]: CANARY } })],
  ];
  test.each(places)("a secret key %s: its value is not written", (_, place) => {
    const { logger, text, lines } = capture();
    for (const key of SECRET_KEYS) logger.info(place(key), "thing.happened");
    expect(lines()).toHaveLength(SECRET_KEYS.length);
    expect(text()).not.toContain(CANARY);
    expect(text()).toContain("[redacted]");
  });

  test("a secret bound to a child logger: not written", () => {
    const { logger, text } = capture();
    logger.child({ password: CANARY }).info("thing.happened");
    expect(text()).toContain("thing.happened");
    expect(text()).not.toContain(CANARY);
  });

  test("values that are not secret stay, and the caller's object is not changed", () => {
    const { logger, lines } = capture();
    const line = { requestId: "r1", status: 200, request: { path: "/x", headers: { cookie: CANARY } } };
    logger.info(line, "request.finished");
    expect(lines()[0]).toMatchObject({
      level: "info",
      service: "gateway",
      requestId: "r1",
      status: 200,
      request: { path: "/x", headers: { cookie: "[redacted]" } },
      msg: "request.finished",
    });
    expect(line.request.headers.cookie).toBe(CANARY);
  });

  test("an object that holds itself: written once, cut where it is too deep", () => {
    const { logger, lines } = capture();
    const ring: Record<string, unknown> = { name: "ring" };
    ring.self = ring;
    logger.info({ ring }, "thing.happened");
    expect(lines()).toHaveLength(1);
  });
});

describe("logger and errors", () => {
  test("an error of a driver: its documents are left out, name, code and stack are kept", () => {
    const { logger, lines, text } = capture();
    const message = `E11000 duplicate key error collection: x.users index: email_1 dup key: { email: "${CANARY}" }`;
    const error = Object.assign(new Error(message), {
      name: "MongoServerError",
      code: 11_000,
      writeErrors: [{ err: { op: { email: CANARY } } }],
    });
    logger.error({ err: error }, "action.failed");
    expect(text()).not.toContain(CANARY);
    expect(lines()[0]?.err).toMatchObject({
      name: "MongoServerError",
      code: 11_000,
      message: expect.stringContaining("index: email_1"),
      stack: expect.stringContaining("logger.test"),
    });
  });

  test("an error with causes: the stacks of all are in the line", () => {
    const { logger, lines } = capture();
    const root = new TypeError("root cause");
    logger.error({ err: new AppError("Service.Error", "public text", { cause: root }) }, "action.failed");
    expect(lines()[0]?.err).toMatchObject({
      type: "Service.Error",
      stack: expect.stringMatching(/public text.*caused by: TypeError: root cause/s),
    });
  });

  test("text first and error second, as the framework logs: the stack is kept", () => {
    const { logger, lines } = capture();
    (logger.error as (...args: unknown[]) => void)("Unable to start", new Error("no port"));
    expect(lines()[0]).toMatchObject({ msg: "Unable to start", err: { message: "no port" } });
  });

  test.each([[null], [undefined]])("%s first: the line is written all the same", (first) => {
    const { logger, lines } = capture();
    (logger.info as (...args: unknown[]) => void)(first, "thing.happened");
    expect(lines()[0]).toMatchObject({ msg: "thing.happened" });
  });
});

describe("logger and hostile values", () => {
  test.each([
    ["a line feed", 'x\n{"level":"fatal","msg":"forged"}'],
    ["a carriage return", "x\r\nforged"],
    ["an escape sequence", "\u001b[31mred\u001b[0m\u0007"],
    ["a line separator", "x\u2028forged\u2029"],
    ["a lone surrogate", "x\ud800"],
    ["a NUL", "x\u0000y"],
  ])("%s in a value: stays inside one JSON line", (_, value) => {
    const { logger, text, lines } = capture();
    logger.info({ requestId: value, nested: { value } }, "thing.happened");
    for (const raw of ["\n", "\r", "\u0000", "\u001b"]) expect(text().trimEnd()).not.toContain(raw);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ level: "info", msg: "thing.happened" });
  });
});
