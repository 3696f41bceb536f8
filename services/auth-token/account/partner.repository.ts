/** Reads and writes partners. */
import type { Connection } from "mongoose";
import type { Scope } from "../../../shared/identity/caller.ts";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type Partner, partnerSchema, STANDING_SERVICES, type StandingService } from "./partner.model.ts";

export type PartnerRepository = ReturnType<typeof partnerRepository>;

const MAX_LISTED = 1_000;

export function partnerRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.partners, partnerSchema);
  const find = (filter: object, limit: number): Promise<Partner[]> =>
    model.find(filter).limit(limit).lean().exec();
  const change = (partnerId: string, $set: Partial<Partner>): Promise<Partner | null> =>
    model.findByIdAndUpdate(partnerId, { $set }, { returnDocument: "after" }).lean().exec();
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
        unreportedTo: [...STANDING_SERVICES],
      };
      await model.updateOne({ testOf: partnerId }, { $set: standing });
      return change(partnerId, standing);
    },
    findWithSandbox: (partnerId: string): Promise<Partner[]> =>
      find({ $or: [{ _id: partnerId }, { testOf: partnerId }] }, 2),
    /** A write, so that this or a concurrent deactivation sees the other. */
    noteSandbox: (partnerId: string, now: Date): Promise<Partner | null> =>
      change(partnerId, { sandboxSince: now }),
    async countOwnerChange(partnerId: string): Promise<void> {
      await model.updateOne({ _id: partnerId }, { $inc: { ownerChanges: 1 } });
    },
    findUnreported: (limit: number): Promise<Partner[]> =>
      find({ unreportedTo: { $in: STANDING_SERVICES } }, limit),
    /** Unless the partner changed meanwhile. */
    async markReported({ _id, active, standingChangedAt }: Partner, service: StandingService): Promise<void> {
      await model.updateOne({ _id, active, standingChangedAt } as object, {
        $pull: { unreportedTo: service },
      });
    },
    approve: (partnerId: string): Promise<Partner | null> => change(partnerId, { onboardingApproved: true }),
    setScopes: (partnerId: string, scopes: readonly Scope[]): Promise<Partner | null> =>
      change(partnerId, { scopes: [...scopes] }),
    deactivatedSince: (since: Date): Promise<string[]> =>
      model.distinct("_id", { active: false, deactivatedAt: { $gte: since } }).exec(),
  };
}
