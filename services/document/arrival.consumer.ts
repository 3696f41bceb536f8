/** Consumes storage's notifications and reconciles the documents they name; a repeated one does no harm. */
import type { DeadLetters } from "../../shared/jetstream/dead-letters.ts";
import type { Consumption, JetStream, StreamMessage } from "../../shared/jetstream/jetstream.ts";
import { CONSUMERS } from "../../shared/jetstream/streams.ts";
import type { Deps } from "./deps.ts";
import { partnerIdOf } from "./document.rules.ts";
import { mapBounded } from "./map-bounded.ts";
import { type Notification, readNotifications } from "./notification.rules.ts";
import { reconcileDocument } from "./reconcile-document.ts";

type ConsumerDeps = Deps & { jetstream: JetStream; deadLetters: DeadLetters };

const PARALLEL_BATCHES = 2;
const MAX_BATCH = 50;
const FILES_AT_ONCE = 8;

export function consumeArrivals(deps: ConsumerDeps): Consumption {
  const spec = CONSUMERS.documentArrival;
  return deps.jetstream.consume(
    spec,
    {
      maxBatch: MAX_BATCH,
      parallelBatches: PARALLEL_BATCHES,
      onPoison: (message, error) => deps.deadLetters.keep(spec.name, message, String(error)),
    },
    (batch) => reconcileBatch(deps, batch),
  );
}

/** A message is acknowledged when every document it names is reconciled. */
async function reconcileBatch(deps: Deps, batch: readonly StreamMessage[]): Promise<void> {
  const failed = new Map<StreamMessage, unknown>();
  await mapBounded(groupByDocument(deps, batch), FILES_AT_ONCE, async ({ notification, messages }) => {
    try {
      const { documentId, objectKey } = notification;
      await reconcileDocument(deps, { documentId, partnerId: partnerIdOf(objectKey) }, notification);
    } catch (error) {
      for (const message of messages) failed.set(message, error);
    }
  });
  for (const message of batch) if (!failed.has(message)) message.ack();
  const [error] = failed.values();
  if (failed.size > 0) throw error;
}

type Group = { notification: Notification; messages: StreamMessage[] };

/** The last notification of a document is enough: the current state of storage counts. */
function groupByDocument({ bucket, logger }: Deps, batch: readonly StreamMessage[]): Group[] {
  const groups = new Map<string, Group>();
  for (const message of batch) {
    const notifications = readNotifications(message.text(), bucket);
    if (notifications.length === 0)
      logger.info({ sequence: message.sequence, subject: message.subject }, "notice.ignored");
    for (const notification of notifications) {
      const messages = groups.get(notification.objectKey)?.messages ?? [];
      groups.set(notification.objectKey, { notification, messages: [...messages, message] });
    }
  }
  return [...groups.values()];
}
