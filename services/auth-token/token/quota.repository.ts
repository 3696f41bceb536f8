/** Leases parts of a budget per minute to the processes that spend it. */
import type { Connection } from "mongoose";
import { collectionOf, isDuplicateKey } from "../../../shared/mongo/mongo.ts";
import { QUOTA_WINDOW_MS, type QuotaGrant, type QuotaRequest } from "../../../shared/quota-leases.ts";
import { COLLECTIONS } from "../collections.ts";

/** A lease is this part of what remains: few calls at first, single grants near the end. */
const LEASED_PART = 10;

export function quotaRepository(connection: Connection) {
  const counters = collectionOf(connection, COLLECTIONS.quotas);

  async function lease({ key, window, limit, want }: QuotaRequest): Promise<QuotaGrant> {
    const used = { $ifNull: ["$used", 0] };
    const remaining = { $max: [0, { $subtract: [limit, used] }] };
    const share = { $max: [want, { $floor: { $divide: [remaining, LEASED_PART] } }] };
    const granted = want < 0 ? { $max: [want, { $subtract: [0, used] }] } : { $min: [remaining, share] };
    const expiresAt = new Date((window + 2) * QUOTA_WINDOW_MS);
    const counter = await counters.findOneAndUpdate(
      { _id: `${key} ${window}` },
      [{ $set: { used: { $add: [used, granted] }, granted, expiresAt } }],
      { upsert: true, returnDocument: "after", writeConcern: { w: 1 } },
    );
    return { granted: counter?.granted ?? 0, used: counter?.used ?? limit };
  }

  return {
    // Two first leases of a minute can meet at the insert; the second then finds the counter.
    lease: (request: QuotaRequest): Promise<QuotaGrant> =>
      lease(request).catch((error: unknown) => {
        if (isDuplicateKey(error)) return lease(request);
        throw error;
      }),
  };
}
