/** Publishes notices of uploads to JetStream; a notice stays on disk until it is acknowledged. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConnectionOptions, connect, ErrorCode, type NatsConnection } from "nats";
import { freeLane } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";

export type Notifier = {
  /** Returns when the notice is on disk. */
  notify(subject: string, notice: unknown): void;
  close(): Promise<void>;
};

/** Servers separated by commas; the first may name a user. The client itself does not look for one there. */
function addressOf(natsUrl: string): ConnectionOptions {
  const servers = natsUrl.split(",").map((server) => new URL(server));
  const { username = "", password = "", protocol } = servers[0] ?? {};
  return {
    servers: servers.map(({ host }) => host),
    ...(username ? { user: username, pass: password } : {}),
    ...(protocol === "tls:" ? { tls: {} } : {}),
  };
}

type Queued = { subject: string; notice: unknown };

const ACK_WITHIN_MS = 5_000;
/** Short, because right after a start the stream may not exist yet. */
const RETRY_AFTER_MS = 500;

export function startNotifier(queueDir: string, natsUrl: string): Notifier {
  mkdirSync(queueDir, { recursive: true });
  let counter = 0;
  let connection: NatsConnection | null = null;
  let lastReported = "";

  const waiting = () =>
    readdirSync(queueDir)
      .filter((file) => file.endsWith(".json"))
      .sort();

  /** Answers whether any has to be tried again. One whose stream is missing does not delay the others. */
  const sendAll = async (isStopping: () => boolean): Promise<boolean> => {
    for (let names = waiting(); names.length > 0; names = waiting()) {
      let hasFailed = false;
      for (const name of names) {
        if (isStopping()) return false;
        const error = await sendOne(name).then(() => null, asError);
        if (!error) continue;
        hasFailed = true;
        reportOnce(error.message);
        if (!isStreamMissing(error)) break;
      }
      if (hasFailed) return true;
    }
    return false;
  };

  const sendOne = async (name: string) => {
    const { subject, notice } = JSON.parse(readFileSync(join(queueDir, name), "utf8")) as Queued;
    connection ??= await connect({ ...addressOf(natsUrl), name: "s3 notices", maxReconnectAttempts: -1 });
    await connection.jetstream().publish(subject, JSON.stringify(notice), { timeout: ACK_WITHIN_MS });
    rmSync(join(queueDir, name), { force: true });
  };

  const reportOnce = (text: string) => {
    if (text !== lastReported) process.stderr.write(`notices wait and are tried again: ${text}\n`);
    lastReported = text;
  };

  const sends = createPollLoop({
    lane: freeLane,
    round: sendAll,
    everyMs: RETRY_AFTER_MS,
    busyPauseMs: () => RETRY_AFTER_MS,
    onError: (error) => reportOnce(asError(error).message),
  });
  sends.start();

  return {
    notify(subject, notice) {
      counter += 1;
      const name = `${Date.now()}-${String(counter).padStart(9, "0")}`;
      writeFileSync(join(queueDir, `${name}.tmp`), JSON.stringify({ subject, notice } satisfies Queued));
      renameSync(join(queueDir, `${name}.tmp`), join(queueDir, `${name}.json`));
      sends.wake();
    },
    async close() {
      const stopped = sends.stop();
      await connection?.close();
      await stopped;
    },
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** No stream listens on the subject: the server says so at once. */
const isStreamMissing = (error: Error): boolean =>
  (error as { code?: string }).code === ErrorCode.NoResponders;
