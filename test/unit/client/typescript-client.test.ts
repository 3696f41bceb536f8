/** The TypeScript client against a server that answers as it is told. */
import { createHash, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import {
  ApiError,
  type Client,
  ConnectionError,
  createClient,
  TokenError,
  unwrap,
  WebhookError,
} from "../../../deploy/client/typescript/src/index.ts";
import { createTokenSource } from "../../../deploy/client/typescript/src/token.ts";
import { listen } from "../../support/servers/listen.ts";
import { waitFor } from "../../support/wait-for.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
type Reply =
  | { status?: number; body?: unknown; headers?: Record<string, string>; after?: Promise<void> }
  | "hang up"
  | "cut off";

const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const NOW = { headers: { "Retry-After": "0" } };
const refusal = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: { isSuccess: false, error: { code, message: "m", requestId: "r", details: [], docsUrl: "d" } },
  ...more,
});
const success = (value: unknown): Reply => ({ body: { isSuccess: true, value } });

let server: Awaited<ReturnType<typeof listen>>;
let baseUrl: string;
let seen: Seen[];
let tokens: number;
let tokenReply: Reply | null;
/** Before that one. */
let tokenReplies: Reply[];
let replies: Reply[];

beforeEach(async () => {
  seen = [];
  tokens = 0;
  tokenReply = null;
  tokenReplies = [];
  replies = [];
  const answering = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const isToken = request.url === "/oauth2/token";
    if (isToken) tokens += 1;
    else seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    const token: Reply = { body: { access_token: `token-${tokens}`, expires_in: 300 } };
    const reply = isToken ? (tokenReplies.shift() ?? tokenReply ?? token) : (replies.shift() ?? success({}));
    if (reply === "hang up") return void response.destroy();
    if (reply === "cut off") {
      response.writeHead(200, { "Content-Length": "100" }).write("{", () => response.destroy());
      return;
    }
    await reply.after;
    response.writeHead(reply.status ?? 200, reply.headers).end(JSON.stringify(reply.body ?? {}));
  });
  server = await listen(answering);
  baseUrl = `http://127.0.0.1:${server.port}`;
});
afterEach(() => server.close());

const untilSeen = (count: number) => waitFor(() => seen.length === count, `${count} calls to arrive`);

const aClient = (): Client => createClient({ baseUrl: `${baseUrl}/`, clientId: "acme", privateKey });

describe("the token", () => {
  test("is asked for once by calls that come together, and kept", async () => {
    const client = aClient();
    await Promise.all([client.get("a"), client.get("b")]);
    await client.get("c");
    expect(tokens).toBe(1);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("Bearer token-1"));
  });

  test("a refused token is requested again", async () => {
    replies = [refusal(401, "Partner.NotAuthenticated", NOW), success({ customerId: "a" })];
    expect(await aClient().get("a")).toEqual({ customerId: "a" });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  test("a token that is not granted: a TokenError, and the next call asks again", async () => {
    const client = aClient();
    tokenReply = { status: 401, body: { error: "invalid_client", error_description: "no" } };
    await expect(client.get("a")).rejects.toThrow(TokenError);
    tokenReply = null;
    tokenReplies = [];
    await client.get("a");
    expect(tokens).toBe(2);
  });
});

describe("two requests for a token", () => {
  test("a late 401 of the old token does not throw the new one away", async () => {
    const client = aClient();
    const late = Promise.withResolvers<void>();
    replies = [
      { ...(refusal(401, "Partner.NotAuthenticated", NOW) as object), after: late.promise },
      refusal(401, "Partner.NotAuthenticated", NOW),
    ];
    const first = client.get("a");
    await untilSeen(1);
    await client.get("b");
    late.resolve();
    await first;
    expect(tokens).toBe(2);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer token-1",
      "Bearer token-1",
      "Bearer token-2",
      "Bearer token-2",
    ]);
  });

  test("a first one that fails late does not throw away the token of the second", async () => {
    const late = Promise.withResolvers<void>();
    tokenReplies = [
      { body: { access_token: "token-1", expires_in: 0 } },
      { status: 401, after: late.promise },
    ];
    const source = createTokenSource({ baseUrl, clientId: "acme", privateKey, timeoutMs: 20_000 });
    // It has expired when it arrives, so the next call asks again.
    await source.get();
    const failing = source.get();
    await waitFor(() => tokens === 2, "the second request");
    expect(source.get()).toBe(failing);
    late.resolve();
    await expect(failing).rejects.toThrow(TokenError);
    expect(await source.get()).toBe("token-3");
    source.forget("token-1");
    expect(await source.get()).toBe("token-3");
  });
});

describe("a redirect", () => {
  test("a redirect of a call or of the token endpoint is not followed, and the error says so", async () => {
    const elsewhere = { status: 307, headers: { Location: `${baseUrl}/elsewhere` } };
    replies = [elsewhere];
    const failure = await aClient()
      .create({} as never)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(String(failure)).toContain("redirect");
    tokenReplies = [elsewhere];
    const once = createClient({ baseUrl, clientId: "acme", privateKey, retries: 0 });
    await expect(once.get("a")).rejects.toThrow(/redirect/);
    expect(seen.map(({ url }) => url)).toEqual(["/api/partner/v1/business-profiles"]);
  });

  test("a redirect of an upload is not followed: the file goes to the address of the link only", async () => {
    const link = { documentId: "d1", uploadUrl: `${baseUrl}/storage`, method: "PUT", headers: {} };
    replies = [success(link), { status: 307, headers: { Location: `${baseUrl}/elsewhere` } }];
    const file = new Uint8Array(Buffer.from("%PDF"));
    const wish = { documentCategory: "Other", contentType: "application/pdf", file } as const;
    await expect(aClient().upload("a", wish)).rejects.toThrow(/redirect/);
    expect(seen.map(({ url }) => url)).not.toContain("/elsewhere");
  });
});

describe("the base URL", () => {
  test.each(["http://onboarding.example", "http://10.0.0.1", "http://localhost.example", "ftp://a.example"])(
    "%s is refused: tokens and data would travel in the clear",
    (plain) => {
      expect(() => createClient({ baseUrl: plain, clientId: "acme", privateKey })).toThrow(/https/);
    },
  );

  test.each([
    "https://onboarding.example",
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
  ])("%s is taken", (good) => {
    expect(() => createClient({ baseUrl: good, clientId: "acme", privateKey })).not.toThrow();
  });
});

describe("a call", () => {
  test("a refused call: an ApiError with the code and the address of its explanation", async () => {
    replies = [refusal(404, "Customer.NotFound")];
    const failure = await aClient()
      .get("a b")
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 404, code: "Customer.NotFound", requestId: "r", docsUrl: "d" });
    expect(seen[0]?.url).toBe("/api/partner/v1/business-profiles/a%20b");
  });

  test("warnings beside the value are told", async () => {
    const warned = [{ field: "webiste", code: "c", message: "m" }];
    replies = [{ body: { isSuccess: true, value: { customerId: "a" }, warnings: warned } }];
    const told: unknown[] = [];
    const onWarnings = (warnings: unknown) => void told.push(warnings);
    const client = createClient({ baseUrl, clientId: "acme", privateKey, onWarnings });
    expect(await client.get("a")).toEqual({ customerId: "a" });
    await client.get("b");
    expect(told).toEqual([warned]);
  });

  test("POST is sent again after 503, while the first try is under way, and after a broken connection, each time with the same Idempotency-Key", async () => {
    replies = [
      refusal(503, "Service.Unavailable", NOW),
      refusal(409, "Idempotency.InProgress", NOW),
      "hang up",
    ];
    await aClient().uploadLink("a", { documentCategory: "Other", contentType: "application/pdf" });
    const keys = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(new Set(keys).size).toBe(1);
  });

  test("PATCH is not sent again when it may have been done", async () => {
    replies = ["hang up"];
    await expect(aClient().patch("a", { website: "https://a.example" })).rejects.toThrow(ConnectionError);
    replies = [refusal(503, "Service.OutcomeUnknown")];
    await expect(aClient().patch("a", {})).rejects.toMatchObject({ code: "Service.OutcomeUnknown" });
    expect(seen).toHaveLength(2);
  });

  test("is made when the token endpoint, away for a moment, is back; a client that is refused is told at once", async () => {
    tokenReplies = ["hang up", { status: 503, body: { error: "temporarily_unavailable" } }];
    await aClient().patch("a", {});
    expect([tokens, seen.length]).toEqual([3, 1]);
    tokenReply = { status: 401, body: { error: "invalid_client" } };
    await expect(aClient().get("a")).rejects.toThrow(TokenError);
    expect(tokens).toBe(4);
  });

  test("POST whose answer is cut off in the middle is sent again with the same key", async () => {
    replies = ["cut off"];
    await aClient().simulate("a", { outcome: "Approved" });
    const keys = seen.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test("patchPerson and simulate name their customer and person, the version and an own key", async () => {
    await aClient().patchPerson("a", "b/c", { lastName: "Bello" }, { ifMatch: 3 });
    await aClient().simulate("a", { outcome: "Approved" }, { idempotencyKey: "k1" });
    expect(
      seen.map(({ method, url }) => [method, url.replace("/api/partner/v1/business-profiles", "")]),
    ).toEqual([
      ["PATCH", "/a/persons/b%2Fc"],
      ["POST", "/a/simulate"],
    ]);
    expect([seen[0]?.headers["if-match"], seen[1]?.headers["idempotency-key"]]).toEqual(['"3"', "k1"]);
  });

  test("gives up after its retries", async () => {
    replies = Array(9).fill(refusal(503, "Service.Unavailable", NOW));
    await expect(aClient().get("a")).rejects.toMatchObject({ code: "Service.Unavailable" });
    expect(seen).toHaveLength(4);
  });

  test("list walks every page, with the filter on each", async () => {
    const page = (names: string[], nextCursor: string | null) =>
      success({ items: names.map((companyName) => ({ companyName })), nextCursor });
    replies = [page(["a", "b"], "next"), page(["c"], null)];
    const names: string[] = [];
    for await (const { companyName } of aClient().list({ industry: "Grants", companyName: undefined }))
      names.push(companyName);
    expect(names).toEqual(["a", "b", "c"]);
    expect(seen.map(({ url }) => url.split("?")[1])).toEqual([
      "industry=Grants",
      "industry=Grants&cursor=next",
    ]);
  });

  test("events goes on from the cursor until there is no more", async () => {
    const page = (nextCursor: string, hasMore: boolean) => success({ items: [{}], nextCursor, hasMore });
    replies = [page("c2", true), page("c3", false)];
    const cursors: string[] = [];
    for await (const { nextCursor } of aClient().events("c1")) cursors.push(nextCursor);
    expect(cursors).toEqual(["c2", "c3"]);
    expect(seen.map(({ url }) => url)).toEqual([
      "/api/partner/v1/events?cursor=c1",
      "/api/partner/v1/events?cursor=c2",
    ]);
  });

  test("upload asks for a link to this very file and puts the file there with the headers of the link", async () => {
    const file = new Uint8Array(Buffer.from("%PDF"));
    const headers = { "Content-Type": "application/pdf", "x-amz-checksum-sha256": "sum" };
    replies = [success({ documentId: "d1", uploadUrl: `${baseUrl}/storage`, method: "PUT", headers }), {}];
    const wish = { documentCategory: "Other", contentType: "application/pdf", file } as const;
    expect(await aClient().upload("a", wish)).toBe("d1");
    const sha256 = createHash("sha256").update(file).digest("hex");
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ sizeBytes: 4, sha256 });
    expect(seen[1]).toMatchObject({ method: "PUT", url: "/storage", body: "%PDF" });
    expect(seen[1]?.headers).toMatchObject({
      "content-type": "application/pdf",
      "x-amz-checksum-sha256": "sum",
    });
    replies = [
      success({ documentId: "d2", uploadUrl: `${baseUrl}/storage`, method: "PUT", headers }),
      { status: 403 },
    ];
    await expect(aClient().upload("a", wish)).rejects.toThrow("Storage refused the file: 403");
  });
});

describe("unwrap", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  const body = JSON.stringify({ eventType: "webhook.test", data: { message: "hällo" } });
  const at = new Date();
  const headers = {
    "Webhook-Id": "e1",
    "Webhook-Timestamp": String(Math.floor(at.getTime() / 1_000)),
    "Webhook-Signature": new Webhook(secret).sign("e1", at, body),
  };
  const seconds = Math.floor(at.getTime() / 1_000);

  test("a signed one: the event, from text or bytes, from an object or Headers, with one of several secrets", () => {
    const event = JSON.parse(body);
    expect(unwrap(body, headers, secret)).toEqual(event);
    expect(unwrap(Buffer.from(body), new Headers(headers), [other, secret])).toEqual(event);
  });

  test.each<[string, () => unknown]>([
    ["another secret", () => unwrap(body, headers, other)],
    ["another body", () => unwrap(`${body} `, headers, secret)],
    ["another id", () => unwrap(body, { ...headers, "Webhook-Id": "e2" }, secret)],
    ["no headers", () => unwrap(body, {}, secret)],
    ["a signature of another kind", () => unwrap(body, { ...headers, "Webhook-Signature": "v2,x" }, secret)],
    ["six minutes later", () => unwrap(body, headers, secret, seconds + 360)],
    ["six minutes earlier", () => unwrap(body, headers, secret, seconds - 360)],
  ])("%s: refused", (_, run) => expect(run).toThrow(WebhookError));
});
