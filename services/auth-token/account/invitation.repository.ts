/** Reads and writes invitations. */
import type { Connection } from "mongoose";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type Invitation, invitationSchema } from "./invitation.model.ts";

export type InvitationRepository = ReturnType<typeof invitationRepository>;

/** Far more than a team invites in a day. */
export const MAX_INVITATIONS = 50;

export function invitationRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.invitations, invitationSchema);
  return {
    async insert(invitation: Invitation): Promise<void> {
      await model.create(invitation);
    },
    /** MongoDB removes what has ended within a minute or so; until then it counts as gone. */
    find: (tokenHash: string, now: Date): Promise<Invitation | null> =>
      model
        .findOne({ tokenHash, expiresAt: { $gt: now } })
        .lean()
        .exec(),
    list: (partnerId: string, now: Date): Promise<Invitation[]> =>
      model
        .find({ partnerId, expiresAt: { $gt: now } })
        .limit(MAX_INVITATIONS)
        .lean()
        .exec(),
    /** False when it is gone: somebody else has accepted or withdrawn it. */
    async remove({ _id, partnerId }: Pick<Invitation, "_id" | "partnerId">): Promise<boolean> {
      return (await model.deleteOne({ _id, partnerId })).deletedCount === 1;
    },
    async removeOfInviter(partnerId: string, inviterId: string): Promise<void> {
      await model.deleteMany({ partnerId, inviterId });
    },
    /** A new link takes the place of the one before. */
    async removeOfEmail({ partnerId, email }: Pick<Invitation, "partnerId" | "email">): Promise<void> {
      await model.deleteOne({ partnerId, email });
    },
  };
}
