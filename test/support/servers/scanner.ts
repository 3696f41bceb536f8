/**
 * A malware scanner with one signature of our own: a real clamd where there is one (PBO_TEST_CLAMD, or on the PATH),
 * otherwise a stand-in that speaks its protocol. `npm run test:clamd` fetches a real one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../deploy/local/ports.ts";
import { findProgram } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { waitFor } from "../wait-for.ts";
import { listen } from "./listen.ts";

/** Harmless; known to the scanner as malware. */
export const MALWARE = "partner-onboarding test signature 6f1c0d2e";
const SIGNATURE_NAME = "Partner.Onboarding.Test";

export type TestScanner = { kind: "clamd" | "stand-in"; port: number; stop(): Promise<void> };

export async function startScanner(port = 0): Promise<TestScanner> {
  const { PBO_TEST_CLAMD, PATH } = processEnv();
  const program = PBO_TEST_CLAMD || findProgram("clamd", PATH, ["/usr/sbin"]);
  return program ? startClamd(program, port || (await freePort())) : startStandIn(port);
}

async function startClamd(program: string, port: number): Promise<TestScanner> {
  const dir = mkdtempSync(join(tmpdir(), "pbo-clamd-"));
  writeFileSync(join(dir, "ours.ndb"), `${SIGNATURE_NAME}:0:*:${Buffer.from(MALWARE).toString("hex")}\n`);
  const settings = [
    "Foreground yes",
    `DatabaseDirectory ${dir}`,
    `TemporaryDirectory ${dir}`,
    "TCPAddr 127.0.0.1",
    `TCPSocket ${port}`,
    "StreamMaxLength 25M",
  ];
  const settingsFile = join(dir, "clamd.conf");
  writeFileSync(settingsFile, `${settings.join("\n")}\n`);
  const child: ChildProcess = spawn(program, ["--config-file", settingsFile], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await waitFor(() => reply(port, "zPING\0"), { what: "clamd", timeoutMs: 60_000 });
  return {
    kind: "clamd",
    port,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startStandIn(port: number): Promise<TestScanner> {
  const server = await startFakeClamd(
    (bytes) => `stream: ${bytes.includes(MALWARE) ? `${SIGNATURE_NAME} FOUND` : "OK"}\0`,
    port,
  );
  return { kind: "stand-in", port: server.port, stop: server.stop };
}

/** Reads the chunks of INSTREAM and answers; what it does instead can be given for the socket itself. */
export async function startFakeClamd(
  answer: (bytes: Buffer) => string,
  port = 0,
  onConnection: (socket: Socket) => void = () => undefined,
) {
  const server = createServer((socket) => {
    onConnection(socket);
    let pending = Buffer.alloc(0);
    const chunks: Buffer[] = [];
    let isCommandRead = false;
    socket.on("data", (data) => {
      pending = Buffer.concat([pending, data]);
      if (!isCommandRead && pending.length >= 10) {
        if (pending.toString("latin1", 0, 10) !== "zINSTREAM\0") return void socket.end("UNKNOWN COMMAND\0");
        pending = pending.subarray(10);
        isCommandRead = true;
      }
      while (isCommandRead && pending.length >= 4) {
        const length = pending.readUInt32BE(0);
        if (length === 0) return void socket.end(answer(Buffer.concat(chunks)));
        if (pending.length < 4 + length) return;
        chunks.push(pending.subarray(4, 4 + length));
        pending = pending.subarray(4 + length);
      }
    });
  });
  const { port: taken, close } = await listen(server, port);
  return { port: taken, stop: close };
}

function reply(port: number, command: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.on("error", () => resolve(false));
    socket.on("close", () => resolve(false));
    socket.on("data", () => {
      resolve(true);
      socket.destroy();
    });
    socket.write(command);
  });
}
