/** Moves unpublishable entries from an outbox to the dead letters, so no other event waits for them. */
import { createHash } from "node:crypto";
import { mongo } from "mongoose";
import type { DeadLetters } from "../jetstream/dead-letters.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Unreadable } from "./outbox-entry.rules.ts";
import type { Holder, OutboxStore } from "./outbox-store.ts";

/** Never rejects: an entry that cannot be set aside now is found again by the next sweep. */
export type SetAside = (holder: Holder, unreadable: readonly Unreadable[]) => Promise<void>;

type Deps = {
  store: Pick<OutboxStore, "discard">;
  deadLetters: Pick<DeadLetters, "keep">;
  /** Names the outbox where consumers of streams are named. */
  consumer: string;
  logger: Logger;
  metrics: Metrics;
};

/** In UTF-8 below the largest document. */
const MAX_CHARACTERS = 4 * 1_048_576;

export function createSetAside({ store, deadLetters, consumer, logger, metrics }: Deps): SetAside {
  return async (holder, unreadable) => {
    if (unreadable.length === 0) return;
    const subject = String(holder._id);
    try {
      for (const { value, fault } of unreadable) {
        const text = textOf(value);
        const id = `${subject}:${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
        await deadLetters.keep(consumer, { id, sequence: 0, subject, text: () => text }, fault);
      }
      const wasThere = await store.discard(
        holder,
        unreadable.map(({ value }) => value),
      );
      // Another process found them at the same time.
      if (!wasThere) return;
      metrics.increment("pbo_dead_letters_total", { consumer }, unreadable.length);
      const reasons = unreadable.map(({ fault }) => fault);
      logger.error({ consumer, document: subject, reasons }, "outbox.entry_unreadable");
    } catch (err) {
      logger.error({ err, consumer, document: subject }, "outbox.entry_not_set_aside");
    }
  };
}

const textOf = (value: unknown): string => mongo.BSON.EJSON.stringify(value).slice(0, MAX_CHARACTERS);
