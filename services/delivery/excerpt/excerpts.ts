/**
 * The start of a receiver's answer may hold anything, so it is sealed under a key of the day of its event. MongoDB removes
 * that key when the event's body is no longer shown. A delivery is recorded without the answer when there is no key.
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../../shared/clock.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { createFieldCipher, type FieldCipher, keyIdOf } from "../../../shared/sealing/field-cipher.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { AttemptRecord } from "../records/delivery.model.ts";
import { excerptsExpireAt } from "../records/retention.rules.ts";
import type { ExcerptKey } from "./excerpt-key.model.ts";
import { type ExcerptKeyRepository, excerptKeyContext } from "./excerpt-key.repository.ts";

type AttemptOf = { deliveryId: string; attemptNo: number; occurredAt: Date };

export type Excerpts = ReturnType<typeof createExcerpts>;

type Deps = {
  keys: Pick<ExcerptKeyRepository, "findOrInsert" | "find">;
  cipher: FieldCipher;
  clock: Clock;
  logger: Logger;
};

/** A day's key, or null for a while after it could not be had. */
type Slot = { cipher: Promise<FieldCipher | null>; until: number };

const KEY_BYTES = 32;
/** The first attempt of a day waits this long for its key before it is recorded without the answer. */
const KEY_WITHIN_MS = 2_000;
const RETRY_MS = 5_000;

export function createExcerpts({ keys, cipher, clock, logger }: Deps) {
  /** By day; about as many as days that an event can be replayed. */
  const slots = new Map<string, Slot>();

  function cipherOf(day: string, expiresAt: Date): Promise<FieldCipher | null> {
    const now = clock.now();
    const known = slots.get(day);
    if (known && known.until > now) return known.cipher;
    for (const [each, { until }] of slots) if (until <= now) slots.delete(each);
    const slot = { cipher: load(day, expiresAt), until: expiresAt.getTime() };
    slots.set(day, slot);
    void slot.cipher.then((loaded) => {
      if (!loaded) slot.until = clock.now() + RETRY_MS;
    });
    return slot.cipher;
  }

  async function load(day: string, expiresAt: Date): Promise<FieldCipher | null> {
    try {
      const fresh = randomBytes(KEY_BYTES).toString("base64url");
      const sealedKey = cipher.seal(fresh, excerptKeyContext(day));
      return ofDay(await withDeadline(keys.findOrInsert({ _id: day, sealedKey, expiresAt }), KEY_WITHIN_MS));
    } catch (err) {
      logger.warn({ err, day }, "excerpt.without_key");
      return null;
    }
  }

  function ofDay({ _id, sealedKey }: ExcerptKey): FieldCipher {
    const key = Buffer.from(cipher.open(sealedKey, excerptKeyContext(_id)), "base64url");
    const own = createFieldCipher([{ id: _id, key }]);
    // The cipher has its own copy, out of JavaScript's reach.
    key.fill(0);
    return own;
  }

  function orNull<T>(deliveryId: string, open: () => T): T | null {
    try {
      return open();
    } catch (err) {
      logger.error({ err, deliveryId }, "excerpt.not_opened");
      return null;
    }
  }

  return {
    /** Never rejects; null when the event has expired or the key of its day is not available. */
    async seal(
      { deliveryId, attemptNo, occurredAt }: AttemptOf,
      excerpt: string | null,
    ): Promise<string | null> {
      // An empty answer has nothing to seal.
      if (excerpt === null || excerpt === "") return excerpt;
      const now = clock.now();
      // An event cannot be younger than its attempt: a clock that is ahead must not lengthen the life of a key.
      const day = dayOf(Math.min(occurredAt.getTime(), now));
      const expiresAt = excerptsExpireAt(day);
      if (expiresAt.getTime() <= now) return null;
      const own = await cipherOf(day, expiresAt);
      return own?.seal(excerpt, contextOf(deliveryId, attemptNo)) ?? null;
    },

    /** An excerpt for each attempt; null when its key has gone. */
    async open(deliveryId: string, attempts: readonly AttemptRecord[]): Promise<(string | null)[]> {
      const days = new Set(attempts.map(({ sealedExcerpt }) => keyIdOf(sealedExcerpt ?? "")));
      days.delete("");
      const stored = days.size > 0 ? await keys.find([...days]) : [];
      const inForce = stored.filter(({ expiresAt }) => expiresAt.getTime() > clock.now());
      const ciphers = new Map(inForce.map((key) => [key._id, orNull(deliveryId, () => ofDay(key))]));
      return attempts.map(({ attemptNo, sealedExcerpt }) => {
        if (!sealedExcerpt) return sealedExcerpt;
        const own = ciphers.get(keyIdOf(sealedExcerpt));
        return own
          ? orNull(deliveryId, () => own.open(sealedExcerpt, contextOf(deliveryId, attemptNo)))
          : null;
      });
    },
  };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const contextOf = (deliveryId: string, attemptNo: number) => ({
  collection: "deliveries",
  recordId: deliveryId,
  field: `attempts ${attemptNo}`,
});
