/** Reads and writes partners. */
import type { Connection } from "mongoose";
import type { Scope } from "../../../shared/identity/caller.ts";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type Partner, partnerSchema, TOLD_SERVICES, type ToldService } from "./partner.model.ts";

export type PartnerRepository = ReturnType<typeof partnerRepository>;

const MAX_LISTED = 1_000;

export function partnerRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.partners, partnerSchema);
  return {
    async insert(partner: Partner): Promise<void> {
      await model.create(partner);
    },
    findById: (partnerId: string): Promise<Partner | null> => model.findById(partnerId).lean().exec(),
    findSandboxOf: (partnerId: string): Promise<Partner | null> =>
      model.findOne({ testOf: partnerId }).lean().exec(),
    namesOf: (partnerIds: readonly string[]): Promise<Pick<Partner, "_id" | "name">[]> =>
      model
        .find({ _id: { $in: [...partnerIds] } }, { name: 1 })
        .limit(MAX_LISTED)
        .lean()
        .exec(),
    list: (): Promise<Partner[]> => model.find().sort({ createdAt: -1 }).limit(MAX_LISTED).lean().exec(),
    /** Its test twin, if there is one, goes with it. */
    async setActive(partnerId: string, active: boolean, now: Date): Promise<Partner | null> {
      const standing = {
        active,
        deactivatedAt: active ? null : now,
        standingChangedAt: now,
        untold: [...TOLD_SERVICES],
      };
      await model.updateOne({ testOf: partnerId }, { $set: standing });
      return model
        .findByIdAndUpdate(partnerId, { $set: standing }, { returnDocument: "after" })
        .lean()
        .exec();
    },
    findWithSandbox: (partnerId: string): Promise<Partner[]> =>
      model
        .find({ $or: [{ _id: partnerId }, { testOf: partnerId }] })
        .lean()
        .exec(),
    /** The partner as it is now. A write, so that of this and a deactivation at the same time one sees the other. */
    noteSandbox: (partnerId: string, now: Date): Promise<Partner | null> =>
      model
        .findByIdAndUpdate(partnerId, { $set: { sandboxSince: now } })
        .lean()
        .exec(),
    async countOwnerChange(partnerId: string): Promise<void> {
      await model.updateOne({ _id: partnerId }, { $inc: { ownerChanges: 1 } });
    },
    findUntold: (limit: number): Promise<Partner[]> =>
      model
        .find({ untold: { $in: [...TOLD_SERVICES] } })
        .limit(limit)
        .lean()
        .exec(),
    /** Unless the partner changed meanwhile. */
    async markTold({ _id, active, standingChangedAt }: Partner, service: ToldService): Promise<void> {
      await model.updateOne({ _id, active, standingChangedAt } as object, { $pull: { untold: service } });
    },
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
