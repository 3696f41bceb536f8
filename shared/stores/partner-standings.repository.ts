/** Whether partners are active, as auth-token last reported it to this service. */
import type { Connection } from "mongoose";
import type { PartnerStanding } from "../contract/actions/auth-token.ts";
import { collection } from "../mongo/collections.rules.ts";
import { collectionOf, unlessDuplicate } from "../mongo/mongo.ts";

type Stored = { _id: string; inactiveSince: Date | null; changedAt: Date };

export type PartnerStandings = ReturnType<typeof partnerStandings>;

export const PARTNER_STANDINGS = collection<Stored>("partner_standings", { shards: "one per partner" });

export function partnerStandings(connection: Connection) {
  const standings = collectionOf(connection, PARTNER_STANDINGS);
  return {
    /** Stores the newest report; a repeated or late one changes nothing. */
    async keep({ partnerId, active, changedAt }: PartnerStanding): Promise<void> {
      const at = new Date(changedAt);
      const older = { _id: partnerId, changedAt: { $lte: at } };
      const $set = { inactiveSince: active ? null : at, changedAt: at };
      await standings.updateOne(older, { $set }, { upsert: true }).catch(unlessDuplicate);
    },
    async inactiveSince(partnerId: string): Promise<Date | null> {
      return (await standings.findOne({ _id: partnerId }))?.inactiveSince ?? null;
    },
  };
}
