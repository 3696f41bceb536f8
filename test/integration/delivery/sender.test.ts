/** The sender against receivers that behave: what they get, byte for byte, and over which connections. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import {
  createTestAuthority,
  type ServerCertificate,
  type TestAuthority,
} from "../../support/builders/certificates.ts";
import { anAttempt, aSender, SECRET, type TestSender } from "../../support/clients/sender.ts";
import { startTlsReceiver } from "../../support/servers/raw-receiver.ts";
import { type ReceivedRequest, type Receiver, startReceiver } from "../../support/servers/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const PREVIOUS = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const OWN_FAULT = expect.objectContaining({ kind: "Own" });
const OK_ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

let authority: TestAuthority;
let certificate: ServerCertificate;
let receiver: Receiver;
let sender: TestSender;
const open: { close(): Promise<void> }[] = [];
const keep = <T extends { close(): Promise<void> }>(thing: T): T => {
  open.push(thing);
  return thing;
};

beforeAll(async () => {
  authority = await createTestAuthority();
  certificate = await authority.issue();
});
beforeAll(async () => {
  receiver = await startReceiver({ certificate });
  sender = aSender({ webhookCaFile: authority.caFile });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(open.splice(0).map((thing) => thing.close()));
  receiver.requests.length = 0;
  receiver.answer(200);
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
});

describe("an attempt that succeeds", () => {
  test("is a POST with the documented headers and exactly the given bytes", async () => {
    receiver.answer({ status: 202, body: "thanks" });
    const attempt = anAttempt({ url: receiver.url("/in?tenant=a%20b#part"), attemptNo: 4 });
    const outcome = await sender.send(attempt);

    expect(outcome).toEqual({
      ok: true,
      statusCode: 202,
      errorKind: null,
      responseExcerpt: "thanks",
      retryAfterMs: null,
      durationMs: expect.any(Number),
      sentAt: expect.any(Date),
    });
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: "POST", path: "/in?tenant=a%20b" });
    expect(request?.bytes.equals(Buffer.from(attempt.body))).toBe(true);
    expect(request?.headers).toEqual({
      host: `localhost:${receiver.port}`,
      connection: "keep-alive",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(attempt.body)),
      "user-agent": expect.any(String),
      "svc-event-id": attempt.eventId,
      "svc-event-type": attempt.eventType,
      "svc-event-version": "1",
      "svc-delivery-id": attempt.deliveryId,
      "svc-attempt": "4",
      "svc-timestamp": String(Math.floor(outcome.sentAt.getTime() / 1_000)),
      "svc-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "webhook-id": request?.headers["svc-event-id"],
      "webhook-timestamp": request?.headers["svc-timestamp"],
      "webhook-signature": request?.headers["svc-signature"],
    });
  });

  test("a request of a replay says so", async () => {
    await sender.send(anAttempt({ url: receiver.url(), isReplay: true }));
    expect(receiver.requests[0]?.headers["svc-replay"]).toBe("true");
  });

  test("is verified by standardwebhooks with either secret of a rotation", async () => {
    await sender.send(anAttempt({ url: receiver.url(), secrets: [SECRET, PREVIOUS] }));
    const [{ headers, body }] = receiver.requests as [ReceivedRequest];
    for (const secret of [SECRET, PREVIOUS])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`).verify(body, headers)).toThrow();
  });

  test("is dated by the clock it was given", async () => {
    const now = Date.parse("2031-05-06T07:08:09.123Z");
    const later = keep(aSender({ webhookCaFile: authority.caFile }, { clock: { now: () => now } }));
    const { sentAt } = await later.send(anAttempt({ url: receiver.url() }));
    expect(sentAt).toEqual(new Date("2031-05-06T07:08:09.123Z"));
    expect(receiver.requests[0]?.headers["svc-timestamp"]).toBe(String(Math.floor(now / 1_000)));
  });

  test("reaches a literal IPv6 address", async () => {
    const six = keep(await startReceiver({ certificate, host: "::1" }));
    expect(await sender.send(anAttempt({ url: `https://[::1]:${six.port}/` }))).toMatchObject({ ok: true });
  });

  test("reaches a name of which only the second address answers", async () => {
    const six = keep(await startReceiver({ certificate, host: "::1" }));
    expect(await sender.send(anAttempt({ url: `https://localhost:${six.port}/` }))).toMatchObject({
      ok: true,
    });
  });

  test("with a body of 200 KB arrives whole", async () => {
    const body = JSON.stringify({ text: "ü".repeat(100_000) });
    expect(await sender.send(anAttempt({ url: receiver.url(), body }))).toMatchObject({ ok: true });
    expect(receiver.requests[0]?.body).toBe(body);
  });
});

describe("connections", () => {
  test("are used again, one request at a time", async () => {
    const own = keep(await startReceiver({ certificate }));
    for (let count = 0; count < 20; count += 1) await sender.send(anAttempt({ url: own.url() }));
    expect(own.requests).toHaveLength(20);
    expect(own.connections()).toBeLessThanOrEqual(2);
    own.answer(() => undefined);
    const hanging = Promise.all([1, 2, 3, 4].map(() => sender.send(anAttempt({ url: own.url() }))));
    await own.waitForRequests(24);
    expect(own.connections()).toBeGreaterThanOrEqual(4);
    await own.close();
    await hanging;
  });

  test("a kept connection that breaks when it is used: the request goes out once more, on a new one", async () => {
    let requests = 0;
    const server = keep(
      await startTlsReceiver(certificate, (socket) => {
        requests += 1;
        socket.write(OK_ANSWER);
        if (requests === 1) socket.on("data", () => server.reset(socket));
      }),
    );
    const url = `https://localhost:${server.port}/`;
    expect(await sender.send(anAttempt({ url }))).toMatchObject({ ok: true });
    expect(await sender.send(anAttempt({ url }))).toMatchObject({ ok: true });
    expect(server.connections()).toBe(2);
  });

  test("a receiver that resets new connections too is asked no third time", async () => {
    const server = keep(
      await startTlsReceiver(certificate, (socket) => {
        if (server.connections() > 1) server.reset(socket);
        else socket.write(OK_ANSWER);
        socket.on("data", () => server.reset(socket));
      }),
    );
    const url = `https://localhost:${server.port}/`;
    expect(await sender.send(anAttempt({ url }))).toMatchObject({ ok: true });
    expect(await sender.send(anAttempt({ url }))).toMatchObject({ ok: false, errorKind: "Connect" });
    expect(server.connections()).toBe(2);
  });
});

describe("faults of our own", () => {
  test("closing in the middle: every attempt in flight rejects, so that none is counted", async () => {
    const closing = aSender({ webhookCaFile: authority.caFile });
    const hanging = keep(await startReceiver({ certificate, answer: () => undefined }));
    const attempts = [1, 2, 3].map(() => closing.send(anAttempt({ url: hanging.url() })));
    const settled = Promise.allSettled(attempts);
    await hanging.waitForRequests(3);
    await closing.close();
    for (const result of await settled) expect(result).toEqual({ status: "rejected", reason: OWN_FAULT });
  });

  test("closing while a connection is being made: the attempt rejects", async () => {
    const asked = jest.fn();
    const resolver = {
      resolve: () => {
        asked();
        return new Promise<string[]>(() => undefined);
      },
    };
    const closing = aSender({ webhookDnsTimeoutMs: 900 }, { resolver });
    const settled = Promise.allSettled([closing.send(anAttempt({ url: "https://example.com/" }))]);
    await waitFor(() => asked.mock.calls.length > 0, "the name to be asked for");
    await closing.close();
    expect((await settled)[0]).toEqual({ status: "rejected", reason: OWN_FAULT });
  });

  test("sending after the close rejects", async () => {
    const closed = aSender({ webhookCaFile: authority.caFile });
    await closed.close();
    await expect(closed.send(anAttempt({ url: receiver.url() }))).rejects.toEqual(OWN_FAULT);
    expect(receiver.requests).toHaveLength(0);
  });

  test("a header that cannot be sent, or no secret: rejects and sends nothing", async () => {
    const url = receiver.url();
    await expect(sender.send(anAttempt({ url, eventType: "a\r\nX-Evil: 1" }))).rejects.toThrow(
      "Svc-Event-Type",
    );
    await expect(sender.send(anAttempt({ url, secrets: [] }))).rejects.toThrow("signature");
    expect(receiver.requests).toHaveLength(0);
  });

  test("a CA file that cannot be read stops the start", () => {
    expect(() => aSender({ webhookCaFile: "/nowhere/ca.pem" })).toThrow("ENOENT");
  });
});

describe("TLS verification", () => {
  test("cannot be turned off by Node's environment variable, which turns it off elsewhere", async () => {
    const stranger = keep(await startReceiver({ certificate: await (await createTestAuthority()).issue() }));
    const script = `
      import { connect } from "node:tls";
      import { createConnect } from "./services/delivery/send/sender-connect.ts";
      const port = "${stranger.port}";
      const settings = { webhookAllowLoopback: true, webhookCaFile: "", webhookDnsTimeoutMs: 1000, webhookConnectTimeoutMs: 5000 };
      const careless = connect({ port, host: "127.0.0.1", servername: "localhost" });
      careless.on("error", (error) => console.log(error.code));
      careless.on("secureConnect", () => { console.log("careless: open"); careless.destroy(); });
      const ours = createConnect(settings, { resolve: async () => [] })({ hostname: "localhost", port });
      ours.then(() => console.log("ours: open"), ({ kind }) => console.log("ours:", kind));`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["--input-type=module-typescript", "-e", script], {
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    });
    expect(stdout.trim().split("\n").sort()).toEqual(["careless: open", "ours: Tls"]);
  });

  test("without the extra CA the local receiver is not trusted", async () => {
    const plain = keep(aSender());
    expect(await plain.send(anAttempt({ url: receiver.url() }))).toMatchObject({ errorKind: "Tls" });
    expect(receiver.requests).toHaveLength(0);
  });
});
