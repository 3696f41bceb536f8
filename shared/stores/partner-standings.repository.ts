/** Whether partners are active, as far as auth-token told this service; kept beside what depends on it. */
import { type Connection, Schema } from "mongoose";
import type { PartnerStanding } from "../contract/actions/auth-token.ts";
import { isDuplicateKey } from "../mongo/mongo.ts";

type Stored = { _id: string; inactiveSince: Date | null; changedAt: Date };

export type PartnerStandings = ReturnType<typeof partnerStandings>;

const schema = new Schema<Stored>(
  {
    _id: { type: String, required: true },
    inactiveSince: { type: Date, default: null },
    changedAt: { type: Date, required: true },
  },
  { collection: "partner_standings", versionKey: false, strict: "throw" },
);

export function partnerStandings(connection: Connection) {
  const model = connection.model<Stored>("PartnerStanding", schema);
  return {
    /** The newest stays; one that comes again or late changes nothing. */
    async keep({ partnerId, active, changedAt }: PartnerStanding): Promise<void> {
      const at = new Date(changedAt);
      const older = { _id: partnerId, changedAt: { $lte: at } };
      const $set = { inactiveSince: active ? null : at, changedAt: at };
      try {
        await model.updateOne(older, { $set }, { upsert: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async inactiveSince(partnerId: string): Promise<Date | null> {
      const stored = await model.findById(partnerId).lean<Stored>().exec();
      return stored?.inactiveSince ?? null;
    },
  };
}
