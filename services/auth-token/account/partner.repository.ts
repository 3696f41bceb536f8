/** Reads and writes partners. */
import type { Connection } from "mongoose";
import type { Scope } from "../../../shared/identity/caller.ts";
import { type Partner, partnerModel } from "./partner.model.ts";

export type PartnerRepository = ReturnType<typeof partnerRepository>;

const MAX_LISTED = 1_000;

export function partnerRepository(connection: Connection) {
  const model = partnerModel(connection);
  return {
    ensureIndexes: () => model.createIndexes(),
    async insert(partner: Partner): Promise<void> {
      await model.create(partner);
    },
    findById: (partnerId: string): Promise<Partner | null> => model.findById(partnerId).lean().exec(),
    list: (): Promise<Partner[]> => model.find().sort({ createdAt: -1 }).limit(MAX_LISTED).lean().exec(),
    setActive: (partnerId: string, active: boolean, now: Date): Promise<Partner | null> =>
      model
        .findByIdAndUpdate(
          partnerId,
          { $set: { active, deactivatedAt: active ? null : now } },
          { returnDocument: "after" },
        )
        .lean()
        .exec(),
    approve: (partnerId: string): Promise<Partner | null> =>
      model
        .findByIdAndUpdate(partnerId, { $set: { onboardingApproved: true } }, { returnDocument: "after" })
        .lean()
        .exec(),
    setScopes: (partnerId: string, scopes: readonly Scope[]): Promise<Partner | null> =>
      model
        .findByIdAndUpdate(partnerId, { $set: { scopes: [...scopes] } }, { returnDocument: "after" })
        .lean()
        .exec(),
    async deactivatedSince(since: Date): Promise<string[]> {
      const rows = await model
        .find({ active: false, deactivatedAt: { $gte: since } }, { _id: 1 })
        .lean()
        .exec();
      return rows.map((row) => row._id);
    },
  };
}
