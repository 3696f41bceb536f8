import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { closeListener } from "../../../gateway/http/connections.ts";
import { createHttpServer } from "../../../gateway/http/http-server.ts";
import { openRaw, parseAnswer, sendRaw, untilClosed } from "../../support/http/raw-http.ts";

const HASTY = { headersMs: 150, requestMs: 300, answerMs: 300, keepAliveMs: 200, checkEveryMs: 50 };

const LONG = 30_000;
const PATIENT = { headersMs: LONG, requestMs: LONG, answerMs: LONG, keepAliveMs: LONG, checkEveryMs: 50 };

const CHUNKED = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Only where a deadline is what the test is about: a slow machine would meet the others too. */
const hasty = (deadlines: Partial<typeof HASTY> = HASTY) =>
  listening(
    createHttpServer(
      (request, response) => {
        request.resume();
        request.on("end", () => response.end("ok"));
        request.on("error", () => undefined);
      },
      true,
      { ...PATIENT, ...deadlines },
    ),
  );
const patient = () => hasty({});

describe("createHttpServer", () => {
  test("a client that never ends its headers: 408 and the end of the connection", async () => {
    const socket = await openRaw(await hasty());
    const received = untilClosed(socket);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nX-Drip: ");
    const drip = setInterval(() => socket.write("x"), 40);
    const answer = parseAnswer(await received);
    clearInterval(drip);
    expect(answer.status).toBe(408);
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("a request whose end comes after its 408: is not served", async () => {
    let served = 0;
    const server = createHttpServer(
      (_, response) => {
        served += 1;
        response.end();
      },
      true,
      { ...PATIENT, headersMs: HASTY.headersMs },
    );
    const socket = await openRaw(await listening(server));
    const received = untilClosed(socket);
    socket.once("data", () => socket.write("Content-Length: 2\r\n\r\n{}"));
    socket.write("POST / HTTP/1.1\r\nHost: x\r\n");
    expect(parseAnswer(await received).status).toBe(408);
    expect(served).toBe(0);
  });

  test("a client that connects and says nothing: the connection ends", async () => {
    const socket = await openRaw(await hasty());
    await untilClosed(socket);
  });

  test("a client that never ends its body: 408 and the end of the connection", async () => {
    const socket = await openRaw(await hasty());
    const received = untilClosed(socket);
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
    const drip = setInterval(() => socket.write("x"), 40);
    const text = await received;
    clearInterval(drip);
    expect(parseAnswer(text).status).toBe(408);
    expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  test("a body that breaks after its answer: the connection ends without a second answer", async () => {
    const server = createHttpServer((_, response) => response.writeHead(401).end(), true, PATIENT);
    const socket = await openRaw(await listening(server));
    const received = untilClosed(socket);
    socket.once("data", () => socket.write("broken\r\n"));
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    expect((await received).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
  });

  test("a client that does not read its answer: the connection ends", async () => {
    const large = Buffer.alloc(64 * 1_048_576);
    const deadlines = { ...PATIENT, answerMs: HASTY.answerMs };
    const server = createHttpServer((_, response) => response.end(large), true, deadlines);
    const closed = new Promise((resolve) => server.once("connection", (peer) => peer.once("close", resolve)));
    const socket = await openRaw(await listening(server));
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await closed;
    socket.destroy();
  });

  test("pipelined requests are served one after the other, in their order", async () => {
    const order: string[] = [];
    const server = createHttpServer(
      ({ url = "" }, response) => {
        order.push(`begin ${url}`);
        response.once("close", () => order.push(`end ${url}`));
        setImmediate(() => response.end(url));
      },
      true,
      PATIENT,
    );
    const socket = await openRaw(await listening(server));
    const received = untilClosed(socket);
    const paths = ["/1", "/2", "/3"];
    const last = "Connection: close\r\n";
    socket.write(
      paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${path === "/3" ? last : ""}\r\n`).join(""),
    );
    expect((await received).match(/\/\d$|\/\d(?=HTTP)/g)).toEqual(paths);
    expect(order).toEqual(paths.flatMap((path) => [`begin ${path}`, `end ${path}`]));
  });

  test("a client that pipelines more than 32 requests: the connection ends", async () => {
    let served = 0;
    const server = createHttpServer(
      () => {
        served += 1;
      },
      true,
      PATIENT,
    );
    const socket = await openRaw(await listening(server));
    const received = untilClosed(socket);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50));
    expect(await received).toBe("");
    expect(served).toBe(1);
  });

  test("a client that keeps its connection and asks nothing: the connection ends after the answer", async () => {
    const socket = await openRaw(await hasty({ keepAliveMs: HASTY.keepAliveMs }));
    const received = untilClosed(socket);
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(parseAnswer(await received)).toMatchObject({ status: 200 });
  });

  test.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n", 400],
    ["a bare line feed in a header", "GET / HTTP/1.1\r\nHost: x\r\nA: b\nC: d\r\n\r\n", 400],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400],
    [
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400],
    ["an unknown coding", CHUNKED.replace("chunked", "xchunked"), 400],
    ["chunks in another coding", CHUNKED.replace("chunked", "gzip, chunked"), 501],
    ["a chunk whose size is no number", CHUNKED.replace("2\r\n", "z\r\n"), 400],
    ["a chunk without its end", CHUNKED.replace("{}\r\n", "{}"), 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: x\r\nA: ${"x".repeat(100_000)}\r\n\r\n`, 431],
  ])("%s: refused", async (_, request, status) => {
    expect((await sendRaw(await patient(), request)).status).toBe(status);
  });

  test("a request that is no HTTP is answered with an id and the security headers", async () => {
    const answer = await sendRaw(await patient(), "hello\r\n\r\n");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("strict-transport-security")).toMatch(/^max-age=\d+/);
    expect(answer.headers.get("svc-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get("content-length")).toBe("0");
    expect(answer.body).toBe("");
  });
});

describe("closeListener", () => {
  /** Answers /slow when told to, everything else at once. */
  async function startSlow() {
    let finish = (): void => undefined;
    const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>();
    const server = createHttpServer((request, response) => {
      if (request.url !== "/slow") return void response.end("fast");
      finish = () => void response.end("slow");
      tellAsked();
    }, false);
    return { server, url: await listening(server), asked, finish: () => finish() };
  }
  const ask = async (url: string, path: string) => {
    const socket = await openRaw(url);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  };

  test("closing a server that does not listen is immediate", async () => {
    await closeListener(
      createHttpServer(() => undefined, false),
      LONG,
    );
  });

  test("waits for the answer in hand; not for a silent connection, an idle one, or one with half a request", async () => {
    const { server, url, asked, finish } = await startSlow();
    const [silent, half, idle] = [await openRaw(url), await openRaw(url), await ask(url, "/fast")];
    half.write("GET /slow HTTP/1.1\r\nHost:");
    await new Promise<void>((resolve) => idle.once("data", () => resolve()));
    const slow = untilClosed(await ask(url, "/slow"));
    await asked;
    let closed = false;
    const closing = closeListener(server, LONG).then(() => {
      closed = true;
    });
    await Promise.all([silent, half, idle].map(untilClosed));
    expect(closed).toBe(false);
    finish();
    await closing;
    expect(parseAnswer(await slow).body).toContain("slow");
  });

  test("gives up an answer that takes longer than the deadline", async () => {
    const { server, url, asked } = await startSlow();
    const slow = untilClosed(await ask(url, "/slow"));
    await asked;
    await closeListener(server, 100);
    expect(await slow).toBe("");
  });
});
