/** Peer: events as jobs of a BullMQ queue in a redis-server of its own; a worker process signs and sends. */
import { randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type BenchEnv, benchFile } from "../frame/env.ts";
import type { BareAttempt } from "./bare-attempt.ts";
import type { EventPath } from "./deliver-all.ts";
import type { DeliveryPath } from "./delivery-path.ts";

const QUEUE = "webhooks";
const WORKER = "bullmq-worker";
/** As often and as long as a delivery is tried. Completed jobs go: nothing here reads them. */
const JOBS = { attempts: 8, backoff: { type: "exponential", delay: 30_000 }, removeOnComplete: true };
const TIMING = { timeoutMs: 120_000, everyMs: 20 };

export const WORKER_ROLES = [WORKER, "redis"];

/** The same receiver as another path's; as many requests under way. */
export async function openBullmqPath(
  env: BenchEnv,
  port: number,
  { receiver }: DeliveryPath,
  concurrency: number,
): Promise<EventPath> {
  const queue = new Queue<BareAttempt>(QUEUE, {
    connection: { host: "127.0.0.1", port },
    defaultJobOptions: JOBS,
  });
  env.onClose(() => queue.close());
  await env.startScript(
    benchFile(`delivery/${WORKER}.ts`),
    [QUEUE, String(port), receiver.caFile, String(concurrency)],
    async () => (await queue.getWorkersCount()) > 0,
  );
  const urls = new Map<string, string>();

  return {
    receiver,
    async aPartner() {
      const partnerId = randomUUID();
      urls.set(partnerId, receiver.url());
      return partnerId;
    },
    publish: (entries: readonly OutboxEntry[]) =>
      queue.addBulk(
        entries.map(({ eventId, body, partnerId }) => ({
          name: "webhook",
          data: { url: urls.get(partnerId) ?? "", eventId, body },
        })),
      ),
    async untilRecorded(_partners, _since, requests) {
      const all = { ...TIMING, what: `${requests} requests` };
      await waitFor(async () => (await receiver.count()) >= requests, all);
      const none = async () => {
        const counts = await queue.getJobCounts("wait", "active", "delayed", "failed");
        return Object.values(counts).every((count) => count === 0);
      };
      await waitFor(none, { ...TIMING, what: "no job left" });
    },
  };
}
