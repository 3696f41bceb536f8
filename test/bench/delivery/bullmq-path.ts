/**
 * Peer: events as jobs of a BullMQ queue in a redis-server of its own, which writes every change to its disk before it
 * answers, as the database of the delivery service does; a worker process signs and sends.
 */
import { randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import { findProgram } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type BenchEnv, benchFile } from "../frame/env.ts";
import type { BareAttempt } from "./bare-attempt.ts";
import type { EventPath } from "./deliver-all.ts";
import type { DeliveryPath } from "./delivery-path.ts";

const QUEUE = "webhooks";
const SETTING = "PBO_TEST_REDIS_SERVER";
/** As often and as long as a delivery is tried. */
const RETRIES = { attempts: 8, backoff: { type: "exponential", delay: 30_000 } };
const NO_SNAPSHOTS = ["--save", ""];
const SYNCED = ["--appendonly", "yes", "--appendfsync", "always"];
const TIMING = { timeoutMs: 120_000, everyMs: 20 };

/** Null when this machine has none. */
export const redisServer = (): string | null => {
  const env = processEnv();
  return env[SETTING] || findProgram("redis-server", env.PATH, ["/usr/bin", "/usr/local/bin"]);
};

export const WITHOUT_REDIS = `no redis-server on the PATH or named by ${SETTING}`;

/** The same receiver as another path's; as many requests under way. */
export async function openBullmqPath(
  env: BenchEnv,
  program: string,
  { receiver }: DeliveryPath,
  concurrency: number,
): Promise<EventPath> {
  const port = await env.freePort();
  const place = ["--bind", "127.0.0.1", "--port", String(port), "--dir", env.dir];
  const queue = new Queue<BareAttempt & { occurredAt: string }>(QUEUE, {
    connection: { host: "127.0.0.1", port },
    defaultJobOptions: RETRIES,
  });
  // Until the server listens; what goes wrong later fails the call that it happens to.
  queue.on("error", () => undefined);
  env.onClose(() => queue.close());
  await env.startProgram(program, [...place, ...NO_SNAPSHOTS, ...SYNCED], async () => {
    await queue.waitUntilReady();
    return true;
  });
  const args = [QUEUE, String(port), receiver.caFile, String(concurrency)];
  await env.startScript(
    benchFile("delivery/bullmq-worker.ts"),
    args,
    async () => (await queue.getWorkersCount()) > 0,
  );
  const urls = new Map<string, string>();
  /** Total over all rounds; a round takes the difference. */
  let completed = 0;

  return {
    receiver,
    async aPartner() {
      const partnerId = randomUUID();
      urls.set(partnerId, receiver.url());
      return partnerId;
    },
    publish: (entries: readonly OutboxEntry[]) =>
      queue.addBulk(
        entries.map(({ eventId, body, partnerId, occurredAt }) => ({
          name: "webhook",
          data: { url: urls.get(partnerId) ?? "", eventId, body, occurredAt },
        })),
      ),
    async untilRecorded(_partners, _since, delivered, requests) {
      await waitFor(async () => (await receiver.count()) >= requests, {
        ...TIMING,
        what: `${requests} requests`,
      });
      completed += delivered;
      await waitFor(async () => (await queue.getCompletedCount()) >= completed, {
        ...TIMING,
        what: `${completed} completed jobs`,
      });
    },
    async latencies(_partners, since) {
      const jobs = await queue.getCompleted(0, -1);
      return jobs.flatMap(({ data, finishedOn = 0 }) => {
        const at = Date.parse(data.occurredAt);
        return at < since.getTime() ? [] : [finishedOn - at];
      });
    },
  };
}
