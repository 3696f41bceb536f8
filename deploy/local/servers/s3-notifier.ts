/** Publishes notices of arrivals to JetStream; a notice waits on disk until it was acknowledged. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, ErrorCode, type NatsConnection } from "nats";

export type Notifier = {
  /** Returns when the notice is on disk. */
  notify(subject: string, notice: unknown): void;
  close(): Promise<void>;
};

type Queued = { subject: string; notice: unknown };

const ACK_WITHIN_MS = 5_000;
/** Short, because right after a start the stream may not have been declared yet. */
const RETRY_AFTER_MS = 500;

export function startNotifier(queueDir: string, natsUrl: string): Notifier {
  mkdirSync(queueDir, { recursive: true });
  let counter = 0;
  let closed = false;
  let connection: NatsConnection | null = null;
  let sending: Promise<void> | null = null;
  let lastReported = "";

  const waiting = () =>
    readdirSync(queueDir)
      .filter((file) => file.endsWith(".json"))
      .sort();

  /** A notice that nobody takes, because its stream is missing, must not hold up the others. */
  const sendAll = async () => {
    while (!closed && waiting().length > 0) {
      let failed = false;
      for (const name of waiting()) {
        const error = await sendOne(name).then(() => null, asError);
        if (!error) continue;
        failed = true;
        reportOnce(error.message);
        if (!isStreamMissing(error)) break;
      }
      if (failed) await sleep(RETRY_AFTER_MS);
    }
  };

  const sendOne = async (name: string) => {
    const { subject, notice } = JSON.parse(readFileSync(join(queueDir, name), "utf8")) as Queued;
    connection ??= await connect({ servers: natsUrl, name: "s3 notices", maxReconnectAttempts: -1 });
    await connection.jetstream().publish(subject, JSON.stringify(notice), { timeout: ACK_WITHIN_MS });
    rmSync(join(queueDir, name), { force: true });
  };

  const reportOnce = (text: string) => {
    if (text !== lastReported) process.stderr.write(`notices wait and are tried again: ${text}\n`);
    lastReported = text;
  };

  const wake = () => {
    sending ??= sendAll().finally(() => {
      sending = null;
      if (!closed && waiting().length > 0) wake();
    });
  };
  wake();

  return {
    notify(subject, notice) {
      counter += 1;
      const name = `${Date.now()}-${String(counter).padStart(9, "0")}`;
      writeFileSync(join(queueDir, `${name}.tmp`), JSON.stringify({ subject, notice } satisfies Queued));
      renameSync(join(queueDir, `${name}.tmp`), join(queueDir, `${name}.json`));
      wake();
    },
    async close() {
      closed = true;
      await connection?.close();
      await sending;
    },
  };
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** No stream listens on the subject: the server says so at once. */
const isStreamMissing = (error: Error): boolean =>
  (error as { code?: string }).code === ErrorCode.NoResponders;
