/** Reads and writes invitations. */
import type { Connection } from "mongoose";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type Invitation, invitationSchema } from "./invitation.model.ts";

/** Far more than a team invites in a day. */
export const MAX_INVITATIONS = 50;

export function invitationRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.invitations, invitationSchema);
  return {
    async insert(invitation: Invitation): Promise<void> {
      await model.create(invitation);
    },
    find: (tokenHash: string, now: Date): Promise<Invitation | null> =>
      model
        .findOne({ tokenHash, ...validAt(now) })
        .lean()
        .exec(),
    list: (partnerId: string, now: Date): Promise<Invitation[]> =>
      model
        .find({ partnerId, ...validAt(now) })
        .limit(MAX_INVITATIONS)
        .lean()
        .exec(),
    /** False when it is gone: another call has accepted or withdrawn it. */
    async remove({ _id, partnerId }: Pick<Invitation, "_id" | "partnerId">): Promise<boolean> {
      return (await model.deleteOne({ _id, partnerId })).deletedCount === 1;
    },
    async removeOfInviter(partnerId: string, inviterId: string): Promise<void> {
      await model.deleteMany({ partnerId, inviterId });
    },
    /** A new link replaces the previous one. */
    async removeOfEmail({ partnerId, email }: Pick<Invitation, "partnerId" | "email">): Promise<void> {
      await model.deleteOne({ partnerId, email });
    },
  };
}

/** MongoDB removes expired documents within about a minute; until then this filter leaves them out. */
const validAt = (now: Date) => ({ expiresAt: { $gt: now } });
