/** Consumes storage's notifications and reconciles the documents they name; a repeated one does no harm. */
import type { DeadLetters } from "../../shared/jetstream/dead-letters.ts";
import type {
  BatchHandler,
  Consumption,
  JetStream,
  StreamMessage,
} from "../../shared/jetstream/jetstream.ts";
import { CONSUMERS } from "../../shared/jetstream/streams.ts";
import { partnerIdOf } from "./document.rules.ts";
import { mapBounded } from "./map-bounded.ts";
import { type Notice, readNotices } from "./notice.rules.ts";
import { type ReconcileDeps, reconcileDocument } from "./reconcile-document.ts";

type Deps = ReconcileDeps & { bucket: string };
type ConsumerDeps = Deps & {
  jetstream: Pick<JetStream, "consume">;
  deadLetters: Pick<DeadLetters, "keep">;
};

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
    arrivalHandler(deps),
  );
}

/** A message is acknowledged when every document it names is reconciled. */
function arrivalHandler(deps: Deps): BatchHandler {
  return async (batch) => {
    const failed = new Map<StreamMessage, unknown>();
    await mapBounded(groupByDocument(deps, batch), FILES_AT_ONCE, async ({ notice, messages }) => {
      try {
        const { documentId, objectKey } = notice;
        await reconcileDocument(deps, { documentId, partnerId: partnerIdOf(objectKey) }, notice);
      } catch (error) {
        for (const message of messages) failed.set(message, error);
      }
    });
    for (const message of batch) if (!failed.has(message)) message.ack();
    const [error] = failed.values();
    if (failed.size > 0) throw error;
  };
}

type Group = { notice: Notice; messages: StreamMessage[] };

/** The last notification of a document is enough: the current state of storage counts. */
function groupByDocument({ bucket, logger }: Deps, batch: readonly StreamMessage[]): Group[] {
  const groups = new Map<string, Group>();
  for (const message of batch) {
    const notices = readNotices(message.text(), bucket);
    if (notices.length === 0)
      logger.info({ sequence: message.sequence, subject: message.subject }, "notice.ignored");
    for (const notice of notices) {
      const messages = groups.get(notice.objectKey)?.messages ?? [];
      groups.set(notice.objectKey, { notice, messages: [...messages, message] });
    }
  }
  return [...groups.values()];
}
