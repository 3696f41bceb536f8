/** Receivers that misbehave in every way we could think of: the exact record each of them leaves. */
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import {
  createTestAuthority,
  type ServerCertificate,
  type TestAuthority,
} from "../../support/builders/certificates.ts";
import { anAttempt, aSender, SHORT_DEADLINES, type TestSender } from "../../support/clients/sender.ts";
import { repetitions } from "../../support/repetitions.ts";
import { type RawReceiver, startTcpReceiver, startTlsReceiver } from "../../support/servers/raw-receiver.ts";
import { type Receiver, startReceiver } from "../../support/servers/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const FAILED = {
  ok: false,
  statusCode: null,
  responseExcerpt: null,
  retryAfterMs: null,
  durationMs: expect.any(Number),
  sentAt: expect.any(Date),
};
const ANSWERED = { ...FAILED, responseExcerpt: "" };

let authority: TestAuthority;
let certificate: ServerCertificate;
let sender: TestSender;
const open: { close(): Promise<void> }[] = [];

const keep = <T extends { close(): Promise<void> }>(thing: T): T => {
  open.push(thing);
  return thing;
};
const rawReceiver = async (onRequest: (socket: Socket) => void): Promise<RawReceiver> =>
  keep(await startTlsReceiver(certificate, onRequest));
const receiver = async (answer: Parameters<Receiver["answer"]>[0]): Promise<Receiver> =>
  keep(await startReceiver({ certificate, answer }));
const send = (port: number) => sender.send(anAttempt({ url: `https://localhost:${port}/hook` }));

beforeAll(async () => {
  authority = await createTestAuthority();
  certificate = await authority.issue();
  sender = aSender({ webhookCaFile: authority.caFile, ...SHORT_DEADLINES });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});
afterAll(() => sender.close());

describe("a receiver that keeps us waiting", () => {
  test("never answers: Timeout", async () => {
    const { port } = await rawReceiver(() => undefined);
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Timeout" });
  });

  test("accepts the connection but never shakes hands: Timeout", async () => {
    const { port } = keep(await startTcpReceiver(() => undefined));
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Timeout" });
  });

  test("drips its headers, byte after byte, for ever: Timeout", async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Drip: ");
      drip(socket, "a");
    });
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Timeout" });
  });

  test("sends interim answers for ever: Timeout", async () => {
    const { port } = await rawReceiver((socket) =>
      drip(socket, "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"),
    );
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Timeout" });
  });

  test("says 200 and drips its body for ever: a success, with what came of it", async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      drip(socket, "x");
    });
    expect(await send(port)).toEqual({
      ...ANSWERED,
      ok: true,
      statusCode: 200,
      errorKind: null,
      responseExcerpt: expect.stringMatching(/^x+$/),
    });
  });

  test("says 500 and then nothing: HttpStatus", async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\nabc");
    });
    expect(await send(port)).toEqual({
      ...ANSWERED,
      statusCode: 500,
      errorKind: "HttpStatus",
      responseExcerpt: "abc",
    });
  });
});

describe("a receiver that breaks the connection", () => {
  test("nobody listens: Connect", async () => {
    const { port, close } = await startTcpReceiver(() => undefined);
    await close();
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Connect" });
  });

  test("resets when it has the request: Connect, and it was asked once", async () => {
    const server = await rawReceiver((socket) => server.reset(socket));
    expect(await send(server.port)).toEqual({ ...FAILED, errorKind: "Connect" });
    expect(server.connections()).toBe(1);
  });

  test("closes when it has the request: Connect", async () => {
    const { port } = await rawReceiver((socket) => socket.end());
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Connect" });
  });

  test("breaks off in the middle of the headers: Connect", async () => {
    const { port } = await rawReceiver((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Le"));
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Connect" });
  });

  test("says 200 and breaks off in the middle of the body: a success", async () => {
    const server = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", () => server.reset(socket));
    });
    expect(await send(server.port)).toMatchObject({ ok: true, statusCode: 200, errorKind: null });
  });
});

describe("a receiver that sends too much or not HTTP", () => {
  test("a body of 1 GiB: the first 4 KiB are kept and the rest is never read", async () => {
    const chunk = Buffer.alloc(65_536, "b");
    let written = 0;
    const { port } = await receiver((_request, response) => {
      response.writeHead(200, { "Content-Length": String(1024 ** 3) });
      const pump = (): void => {
        while (!response.destroyed && written < 1024 ** 3) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", pump);
        }
      };
      pump();
    });
    expect(await send(port)).toEqual({
      ...ANSWERED,
      ok: true,
      statusCode: 200,
      errorKind: null,
      responseExcerpt: "b".repeat(4_096),
    });
    expect(written).toBeLessThan(16 * 1024 ** 2);
  });

  test("headers without end: Connect", async () => {
    const line = `X-Big: ${"h".repeat(8_000)}\r\n`;
    const { port } = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      drip(socket, line);
    });
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Connect" });
  });

  test.each([
    ["words", "hello, world\r\n\r\n"],
    ["another version", "HTTP/9.9 200 OK\r\n\r\n"],
    ["no status", "HTTP/1.1 \r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    [
      "length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    [
      "an upgrade nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
  ])("%s: Connect", async (_what, answer) => {
    const { port } = await rawReceiver((socket) => void socket.write(answer));
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Connect" });
  });

  test("a second answer that nobody asked for does not reach the next attempt", async () => {
    const { port } = await rawReceiver((socket) => {
      socket.write(
        "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      );
    });
    expect(await send(port)).toMatchObject({ ok: false, statusCode: 500 });
    expect(await send(port)).toMatchObject({ ok: false, statusCode: 500 });
  });
});

describe("a receiver whose TLS is not right", () => {
  const startWith = async (server: ServerCertificate) => keep(await startReceiver({ certificate: server }));
  const DAY_MS = 86_400_000;

  test.each([
    ["a certificate of an unknown authority", async () => (await createTestAuthority()).issue()],
    ["an expired certificate", () => authority.issue({ notAfter: new Date(Date.now() - DAY_MS) })],
    ["a certificate for another name", () => authority.issue({ names: ["other.example"], addresses: [] })],
  ])("%s: Tls, and it gets no request", async (_what, issue) => {
    const server = await startWith(await issue());
    expect(await send(server.port)).toEqual({ ...FAILED, errorKind: "Tls" });
    expect(server.requests).toHaveLength(0);
  });

  test("a literal address that the certificate does not name: Tls", async () => {
    const server = await startWith(await authority.issue({ names: ["localhost"], addresses: [] }));
    const outcome = await sender.send(anAttempt({ url: `https://127.0.0.1:${server.port}/hook` }));
    expect(outcome).toEqual({ ...FAILED, errorKind: "Tls" });
  });

  test("plain HTTP on the port: Tls", async () => {
    const { port, bytesRead } = keep(
      await startTcpReceiver((socket) => socket.end("HTTP/1.1 400 Bad\r\n\r\n")),
    );
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Tls" });
    expect(bytesRead()).toBeGreaterThan(0);
  });

  test("an old version of TLS: Tls", async () => {
    const { port } = keep(
      await startTlsReceiver(
        { ...certificate, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" },
        (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"),
      ),
    );
    expect(await send(port)).toEqual({ ...FAILED, errorKind: "Tls" });
  });
});

describe("a receiver that refuses", () => {
  test.each([301, 302, 303, 307, 308])(
    "%i to a server of this machine: Redirect, and that server sees nothing",
    async (status) => {
      const target = await receiver(200);
      const { port } = await receiver({
        status,
        headers: { Location: target.url("/stolen") },
        body: "moved",
      });
      expect(await send(port)).toEqual({
        ...ANSWERED,
        statusCode: status,
        errorKind: "Redirect",
        responseExcerpt: "moved",
      });
      expect(target.connections()).toBe(0);
    },
  );

  test("304 and a redirect to a public address: Redirect", async () => {
    const { port } = await receiver({ status: 308, headers: { Location: "https://93.184.216.34/" } });
    expect(await send(port)).toEqual({ ...ANSWERED, statusCode: 308, errorKind: "Redirect" });
    const other = await receiver(304);
    expect(await send(other.port)).toEqual({ ...ANSWERED, statusCode: 304, errorKind: "Redirect" });
  });

  test.each([429, 503])(
    "%i with Retry-After, in seconds or as a date: the pause that is asked for",
    async (status) => {
      for (const retryAfter of ["600", new Date(Date.now() + 600_000).toUTCString()]) {
        const { port } = await receiver({ status, headers: { "Retry-After": retryAfter } });
        const { retryAfterMs, ...rest } = await send(port);
        expect(rest).toMatchObject({ ok: false, statusCode: status, errorKind: "HttpStatus" });
        expect(retryAfterMs).toBeGreaterThan(590_000);
        expect(retryAfterMs).toBeLessThanOrEqual(600_000);
      }
    },
  );
});

/** Five times as many rounds follow; if one chunk of each answer stayed, even the short form would not be flat. */
const WARM_UPS = repetitions({ short: 3, nightly: 6 });

describe("many hostile answers", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const bytesInUse = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  test("leave the sender's memory flat", async () => {
    const chunk = Buffer.alloc(65_536, "b");
    const { port } = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 500 No\r\n\r\n");
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once("drain", pump);
      };
      pump();
    });
    const patient = keep(
      aSender({ webhookCaFile: authority.caFile, webhookConnectTimeoutMs: 60_000, webhookTimeoutMs: 60_000 }),
    );
    const url = `https://localhost:${port}/hook`;
    const round = async () => {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => patient.send(anAttempt({ url }))));
      for (const { responseExcerpt } of outcomes) expect(responseExcerpt).toHaveLength(4_096);
    };
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await round();
    const before = bytesInUse();
    for (let rounds = 0; rounds < 5 * WARM_UPS; rounds += 1) await round();
    // Memory of open connections is freed when they end; a leak stays.
    await waitFor(() => bytesInUse() - before < 8 * 1024 ** 2, { timeoutMs: 30_000, what: "it to be freed" });
  });
});

/** Until the socket is gone. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else socket.write(text);
  }, 5);
  socket.on("close", () => clearInterval(timer));
}
