import { beforeAll, describe, expect, test } from "@jest/globals";
import { MAX_FORM_BYTES, MAX_JSON_BYTES, MAX_JSON_DEPTH } from "../../../../gateway/http/read-body.ts";
import { openRaw, parseAnswer, sendRaw, untilClosed } from "../../../support/http/raw-http.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { stageOfPart } from "../shared-stage.ts";

const CREATE = "/api/partner/v1/business-profiles";
const PATCH = `${CREATE}/0199a000-0000-7000-8000-000000000001`;

const stage = stageOfPart();
let authorization: string;
beforeAll(async () => {
  authorization = `Bearer ${await stage.token(await stage.partner())}`;
});

type Body = string | Buffer<ArrayBuffer> | ReadableStream;

const send = (body: Body | null, headers: Record<string, string> = {}, path = CREATE, method = "POST") =>
  stage.request(path, {
    method,
    headers: { Authorization: authorization, "Content-Type": "application/json", ...headers },
    ...(body === null ? {} : { body, duplex: "half" }),
  } as RequestInit);

const head = (path: string, ...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, "Host: x", "Content-Type: application/json", ...lines, "", ""].join("\r\n");
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const seenBody = () => stage.calls.at(-1)?.params.body;

function expectRefusal(
  answer: { status: number; body: Record<string, unknown> },
  status: number,
  code: string,
) {
  expect(answer).toMatchObject({ status, body: { isSuccess: false, error: { code } } });
  expect(stage.calls).toEqual([]);
}

describe("a body that is too large", () => {
  test("as its Content-Length says: 413 before it is read, and the connection ends", async () => {
    const length = `Content-Length: ${MAX_JSON_BYTES + 1}`;
    const answer = await sendRaw(stage.gateway.url, head(CREATE, `Authorization: ${authorization}`, length));
    expectRefusal({ status: answer.status, body: JSON.parse(answer.body) }, 413, "Request.TooLarge");
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("in chunks, without saying so: 413 at the first byte over the limit", async () => {
    const socket = await openRaw(stage.gateway.url);
    const received = untilClosed(socket);
    socket.write(head(CREATE, `Authorization: ${authorization}`, "Transfer-Encoding: chunked"));
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    for (let sent = 0; sent <= MAX_JSON_BYTES && !socket.destroyed; sent += 65_536)
      await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
    const answer = parseAnswer(await received);
    expectRefusal({ status: answer.status, body: JSON.parse(answer.body) }, 413, "Request.TooLarge");
  });

  test("a form for a token above 16 KiB: 413 in the OAuth shape", async () => {
    const answer = await stage.tokenRequest(`a=${"x".repeat(MAX_FORM_BYTES)}`);
    expect(answer).toMatchObject({ status: 413, body: { error: "invalid_request" } });
    expect(Object.keys(answer.body)).toEqual(["error", "error_description"]);
  });

  test("exactly at the limit: reaches the action whole, over NATS", async () => {
    const text = "x".repeat(MAX_JSON_BYTES - '{"description":""}'.length);
    const body = JSON.stringify({ description: text });
    expect(Buffer.byteLength(body)).toBe(MAX_JSON_BYTES);
    expect(await send(body)).toMatchObject({ status: 200 });
    expect(seenBody()).toEqual({ description: text });
  });

  test("a body that grows when it is written again (1e20 becomes 21 digits) reaches the action all the same", async () => {
    const numbers = `[${Array(190_000).fill("1e20").join(",")}]`;
    expect(await send(`{"numbers":${numbers}}`)).toMatchObject({ status: 200 });
    expect((seenBody() as { numbers: number[] }).numbers).toHaveLength(190_000);
  });

  test("a body that grows and travels with others: none of them is refused for it", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    stage.script("profile.create", () => opened.then(() => ({})));
    const ahead: ReturnType<typeof send>[] = [];
    while (ahead.length < 3) {
      ahead.push(send("{}"));
      await waitFor(() => stage.calls.length === ahead.length, "the create to be under way");
    }
    const growing = `{"numbers":[${Array(190_000).fill("1e20").join(",")}]}`;
    const together = [send("{}"), send(growing), send(growing), send(growing), send("{}")];
    await stage.request(CREATE, { headers: { Authorization: authorization } });
    open();
    const answers = await Promise.all([...ahead, ...together]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test("is not read from a stranger: 401 comes first", async () => {
    const length = `Content-Length: ${MAX_JSON_BYTES + 1}`;
    expect(await sendRaw(stage.gateway.url, head(CREATE, "Connection: close", length))).toMatchObject({
      status: 401,
    });
  });
});

describe("a body that a refused caller goes on sending", () => {
  test.each([
    ["without a token, of a size that is said", CREATE, ["Content-Length: 1000000"], 401],
    ["without a token, in chunks", CREATE, ["Transfer-Encoding: chunked"], 401],
    ["to an address that no route has", "/nothing", ["Content-Length: 1000000"], 404],
  ])("%s: is not read on, the connection ends", async (_, path, lines, status) => {
    const answer = await sendRaw(stage.gateway.url, head(path, ...lines));
    expect([answer.status, answer.headers.get("connection")]).toEqual([status, "close"]);
  });

  test("when it is small: the connection stays for the next request", async () => {
    const requests = `${head(CREATE, "Content-Length: 2")}{}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const socket = await openRaw(stage.gateway.url);
    const received = untilClosed(socket);
    socket.write(requests);
    const statuses = [...(await received).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(["401", "200"]);
  });
});

describe("a body of another kind", () => {
  test.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["application/xml"],
    ["application/jsonp"],
    ["application/json-patch+json"],
    ["application/json; charset=utf-16"],
    ["application/json; charset=iso-8859-1"],
    ["application"],
    [""],
  ])("%s: 415", async (type) => {
    expectRefusal(await send("{}", { "Content-Type": type }), 415, "Request.MediaTypeUnsupported");
  });

  test.each([
    ["application/json"],
    ["Application/JSON"],
    ["application/json;charset=UTF-8"],
    ['application/json; charset="utf-8"'],
    ["application/json; profile=x; charset=utf-8"],
  ])("%s: read", async (type) => {
    expect(await send('{"a":1}', { "Content-Type": type })).toMatchObject({ status: 200 });
    expect(seenBody()).toEqual({ a: 1 });
  });

  test.each([["gzip"], ["br"], ["deflate"], ["gzip, identity"]])(
    "Content-Encoding %s: 415, so no small body can become a large one",
    async (encoding) => {
      expectRefusal(await send("{}", { "Content-Encoding": encoding }), 415, "Request.MediaTypeUnsupported");
    },
  );

  test("JSON for the token endpoint: 415 in the OAuth shape", async () => {
    const answer = await stage.tokenRequest("{}", { headers: { "Content-Type": "application/json" } });
    expect(answer).toMatchObject({ status: 415, body: { error: "invalid_request" } });
  });
});

describe("a body that is no JSON", () => {
  test.each([
    ["text", "hello"],
    ["an open object", '{"a":'],
    ["a comma too many", '{"a":1,}'],
    ["single quotes", "{'a':1}"],
    ["two values", "{} {}"],
    ["NaN", '{"a":NaN}'],
    ["a byte order mark and nothing", "\ufeff"],
    ["a line feed inside a text", '{"a":"\n"}'],
  ])("%s: 400 with the route's own code, and nothing of the parser's words", async (_, body) => {
    const create = await send(body);
    expectRefusal(create, 400, "Validation");
    expect(create.text).not.toMatch(/position|Unexpected|token/i);
    expectRefusal(await send(body, {}, PATCH, "PATCH"), 400, "ValidationControl.Error");
  });

  test.each([
    ["a lone continuation byte", [0x22, 0x80, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["half of a character", [0x22, 0xe2, 0x82, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])("%s in place of UTF-8: 400", async (_, bytes) => {
    expectRefusal(await send(Buffer.from(bytes)), 400, "Validation");
  });

  test("a character that two chunks share: read as one", async () => {
    const [first, second] = [Buffer.from([0x22, 0xc3]), Buffer.from([0xa9, 0x22])];
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.concat([Buffer.from('{"a":'), first]));
        controller.enqueue(Buffer.concat([second, Buffer.from("}")]));
        controller.close();
      },
    });
    expect(await send(body)).toMatchObject({ status: 200 });
    expect(seenBody()).toEqual({ a: "é" });
  });

  test("no body at all, or an empty one: the action decides", async () => {
    for (const body of [null, ""]) {
      expect(await send(body)).toMatchObject({ status: 200 });
      expect(seenBody()).toBeUndefined();
    }
  });
});

describe("a body that is too deep", () => {
  test(`${MAX_JSON_DEPTH} levels: read`, async () => {
    expect(await send(nested(MAX_JSON_DEPTH))).toMatchObject({ status: 200 });
  });

  test.each([
    ["one level more, of objects", nested(MAX_JSON_DEPTH + 1)],
    ["one level more, of lists", `${"[".repeat(MAX_JSON_DEPTH + 1)}${"]".repeat(MAX_JSON_DEPTH + 1)}`],
    ["10,000 levels", nested(10_000)],
    ["100,000 lists", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["as deep as the size allows", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
    ["deep in a later branch", `{"a":1,"b":[${nested(MAX_JSON_DEPTH)}]}`],
  ])("%s: 400, and the gateway lives", async (_, body) => {
    expectRefusal(await send(body), 400, "Validation");
    expect(await stage.request("/healthz")).toMatchObject({ status: 200 });
  });
});

describe("a body that reaches for the prototype", () => {
  test.each([
    ["__proto__", '{"__proto__":{"polluted":1},"a":1}', { a: 1 }],
    ["__proto__ written with escapes", '{"\\u005f_proto__":{"polluted":1},"a":1}', { a: 1 }],
    ["__proto__ further in", '{"a":{"b":[{"__proto__":{"polluted":1},"c":1}]}}', { a: { b: [{ c: 1 }] } }],
  ])("%s: dropped before any code sees it", async (_, body, seen) => {
    expect(await send(body)).toMatchObject({ status: 200 });
    expect(seenBody()).toEqual(seen);
    expect(JSON.stringify(seenBody())).not.toContain("polluted");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("constructor.prototype: plain data, and nothing is polluted", async () => {
    expect(await send('{"constructor":{"prototype":{"polluted":1}}}')).toMatchObject({ status: 200 });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    ["__proto__[polluted]=1"],
    ["constructor[prototype][polluted]=1"],
    ["a[__proto__][polluted]=1"],
  ])("?%s: refused by name, and nothing is polluted", async (query) => {
    const before = stage.calls.length;
    expect(
      await stage.request(`${CREATE}?${query}`, { headers: { Authorization: authorization } }),
    ).toMatchObject({ status: 400 });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(stage.calls).toHaveLength(before);
  });

  test("a query in place of the path is refused, and a body in place of it stays where it is", async () => {
    const calls = stage.calls.length;
    const body = '{"customerId":"from-body"}';
    expect(await send(body, {}, `${PATCH}?customerId=from-query`, "PATCH")).toMatchObject({ status: 400 });
    expect(stage.calls).toHaveLength(calls);
    await send(body, {}, PATCH, "PATCH");
    expect(stage.calls.at(-1)?.params).toMatchObject({
      params: { customerId: PATCH.split("/").at(-1) },
      query: {},
      body: { customerId: "from-body" },
    });
  });
});
