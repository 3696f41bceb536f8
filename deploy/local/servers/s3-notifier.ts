/** Publishes notifications of uploads to JetStream; each stays on disk until it is acknowledged. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConnectionOptions, connect, ErrorCode, type NatsConnection } from "nats";
import { freeLane } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";

/** Servers separated by commas; the first may have a user, which the client itself ignores. */
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

export function startNotifier(queueDir: string, natsUrl: string) {
  mkdirSync(queueDir, { recursive: true });
  let counter = 0;
  let connection: NatsConnection | null = null;
  let lastReported = "";

  const waiting = () =>
    readdirSync(queueDir)
      .filter((file) => file.endsWith(".json"))
      .sort();

  /** Resolves to true if some must be retried. A missing stream does not delay notifications for others. */
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
    if (text !== lastReported) process.stderr.write(`notifications wait for a retry: ${text}\n`);
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
    /** Returns when the notification is on disk. */
    notify(subject: string, notice: unknown): void {
      counter += 1;
      const name = `${Date.now()}-${String(counter).padStart(9, "0")}`;
      writeFileSync(join(queueDir, `${name}.tmp`), JSON.stringify({ subject, notice } satisfies Queued));
      renameSync(join(queueDir, `${name}.tmp`), join(queueDir, `${name}.json`));
      sends.wake();
    },
    async close(): Promise<void> {
      const stopped = sends.stop();
      await connection?.close();
      await stopped;
    },
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The subject has no stream; the server reports it immediately. */
const isStreamMissing = (error: Error): boolean =>
  (error as { code?: string }).code === ErrorCode.NoResponders;
