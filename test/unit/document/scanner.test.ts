import { randomBytes } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createScanner } from "../../../services/document/file/scanner.ts";
import { listen } from "../../support/servers/listen.ts";
import { startFakeClamd } from "../../support/servers/scanner.ts";
import { waitFor } from "../../support/wait-for.ts";

type Fake = Awaited<ReturnType<typeof startFakeClamd>>;
let fake: Fake | undefined;
afterEach(async () => {
  await fake?.stop();
  fake = undefined;
});

const counted: string[] = [];
const metrics = {
  increment: (_: string, labels?: { result?: string }) => void counted.push(labels?.result ?? ""),
};

async function scan(
  port: number,
  parts: readonly Buffer[],
  { withinMs = 5_000, signal = undefined as AbortSignal | undefined } = {},
) {
  counted.length = 0;
  const one = createScanner({ host: "127.0.0.1", port }, metrics as never, { withinMs }).open(signal);
  try {
    for (const part of parts) await one.write(part);
    return await one.verdict();
  } finally {
    one.close();
  }
}

const AWAY = { type: "Service.Unavailable", code: 503 };
/** A scanner that does this with a connection, and answers nothing of its own. */
const startSilent = async (onSocket: (socket: Socket) => void): Promise<number> => {
  fake = await startFakeClamd(() => "", 0, onSocket);
  return fake.port;
};
const SMALL = [Buffer.from("a file")];
const LARGE = Array.from({ length: 64 }, () => randomBytes(65_536));

describe("a scan", () => {
  test("gives the scanner every byte, in order, and believes what it says", async () => {
    let seen: Buffer = Buffer.alloc(0);
    fake = await startFakeClamd((bytes) => {
      seen = bytes;
      return "stream: OK\0";
    });
    expect(await scan(fake.port, LARGE)).toBe("clean");
    expect(seen.equals(Buffer.concat(LARGE))).toBe(true);
    expect(counted).toEqual(["clean"]);
  });

  test("a file with a known signature: malware", async () => {
    fake = await startFakeClamd(() => "stream: Win.Test.EICAR_HDB-1 FOUND\0");
    expect(await scan(fake.port, SMALL)).toBe("malware");
    expect(counted).toEqual(["malware"]);
  });

  test.each([
    ["an error", "INSTREAM size limit exceeded. ERROR\0"],
    ["an error of the engine", "stream: Can't allocate memory ERROR\0"],
    ["nothing", ""],
    ["an answer without its end", "stream: OK"],
    ["the answer to another question", "PONG\0"],
    ["an answer with more around it", "x stream: OK\0"],
    ["a page of HTML", `HTTP/1.1 400 Bad Request\r\n\r\n${"<p>".repeat(5_000)}`],
    ["an error that speaks of OK", "stream: OK ERROR\0"],
  ])("answered with %s: Service.Unavailable, counted once", async (_, answer) => {
    fake = await startFakeClamd(() => answer);
    await expect(scan(fake.port, SMALL)).rejects.toMatchObject(AWAY);
    expect(counted).toEqual(["failed"]);
  });

  test("refused in the middle because it is too long: Service.Unavailable", async () => {
    const port = await startSilent((socket) => {
      let size = 0;
      socket.on("data", (data) => {
        size += data.length;
        if (size > 1_000_000) socket.end("INSTREAM size limit exceeded. ERROR\0");
      });
    });
    await expect(scan(port, LARGE)).rejects.toMatchObject(AWAY);
    expect(counted).toEqual(["failed"]);
  });

  test("called clean before it was sent: is not believed", async () => {
    const port = await startSilent((socket) => void socket.write("stream: OK\0"));
    const one = createScanner({ host: "127.0.0.1", port }, metrics as never).open();
    await one.write(LARGE[0] ?? Buffer.alloc(0));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(one.verdict()).rejects.toMatchObject(AWAY);
    one.close();
  });

  test("failed: the next are refused at once for a moment, unless it was the caller's time that ended", async () => {
    fake = await startFakeClamd(() => "ERROR\0");
    const scanner = createScanner({ host: "127.0.0.1", port: fake.port }, metrics as never, { restMs: 300 });
    const late = scanner.open(AbortSignal.abort());
    await expect(late.verdict()).rejects.toMatchObject(AWAY);
    scanner.refuseIfAway();
    const failing = scanner.open();
    await expect(failing.verdict()).rejects.toMatchObject(AWAY);
    expect(() => scanner.refuseIfAway()).toThrow(expect.objectContaining(AWAY));
    await waitFor(() => scanner.refuseIfAway() === undefined, "the end of the rest");
    late.close();
    failing.close();
  });

  test("cut in the middle: Service.Unavailable", async () => {
    const port = await startSilent((socket) => void socket.once("data", () => socket.destroy()));
    await expect(scan(port, LARGE)).rejects.toMatchObject(AWAY);
  });

  test("never answered, or never read: Service.Unavailable when its time is up, or that of its caller", async () => {
    const port = await startSilent((socket) => {
      socket.end = () => socket;
      socket.pause();
    });
    await expect(scan(port, LARGE, { withinMs: 200 })).rejects.toMatchObject(AWAY);
    await expect(scan(port, SMALL, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject(AWAY);
    await expect(scan(port, SMALL, { signal: AbortSignal.abort() })).rejects.toMatchObject(AWAY);
  });

  test("nobody listens: Service.Unavailable", async () => {
    const { port, close } = await listen(createServer());
    await close();
    await expect(scan(port, SMALL)).rejects.toMatchObject(AWAY);
  });
});
