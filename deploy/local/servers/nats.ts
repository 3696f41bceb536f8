/** A nats-server with JetStream on disk. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { childEnv } from "../../lib/child-env.ts";
import type { StatePaths } from "../../lib/paths.ts";
import type { ProcessSpec } from "../processes/managed-process.ts";

const ANSWER_WITHIN_MS = 2_000;

export function writeNatsConfig(port: number, paths: StatePaths): void {
  // Only settings known to 2.9.10, which refuses to start on an unknown one. The file limit is high because streams
  // reserve their maximum size, and the tests create streams in many namespaces.
  writeFileSync(
    paths.natsConfigFile,
    [
      `host: "127.0.0.1"`,
      `port: ${port}`,
      // A body of 1 MiB may grow when it is serialised again (1e20 becomes 21 digits).
      "max_payload: 8MB",
      `jetstream { store_dir: ${JSON.stringify(paths.natsDir)}, max_memory_store: 64MB, max_file_store: 1TB }`,
      "",
    ].join("\n"),
  );
}

/** Runs with the file of `writeNatsConfig`. */
export function natsSpec(program: string, port: number, paths: StatePaths): ProcessSpec {
  return {
    name: "nats",
    server: true,
    command: program,
    args: ["--config", paths.natsConfigFile],
    env: childEnv(),
    isReady: () => greetsWithJetStream(port),
    readyWithinMs: 120_000,
    stopWithinMs: 10_000,
    // Changed bits can prevent every start. MongoDB is the record: lost messages are published again.
    repair: { afterMs: 15_000, files: () => setStoreAside(paths) },
  };
}

function setStoreAside({ natsDir }: StatePaths): string {
  const aside = `${natsDir}.damaged`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(natsDir, aside);
  return `its store is moved to ${aside}, and it starts with an empty one`;
}

/** Reads the server's INFO line; no client needed. */
function greetsWithJetStream(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, timeout: ANSWER_WITHIN_MS });
    socket.setEncoding("utf8");
    let greeting = "";
    socket.on("data", (text) => {
      greeting += text;
      if (!greeting.includes("\r\n")) return;
      socket.destroy();
      resolve(greeting.startsWith("INFO ") && greeting.includes('"jetstream":true'));
    });
    socket.once("timeout", () => socket.destroy(new Error("no greeting")));
    socket.once("error", reject);
    socket.once("close", () => resolve(false));
  });
}
