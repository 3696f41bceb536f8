/** Reads and writes dashboard sessions. */
import type { Connection } from "mongoose";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type Session, sessionSchema } from "./session.model.ts";

const MAX_LISTED = 200;

export function sessionRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.sessions, sessionSchema);
  return {
    async insert(session: Session): Promise<void> {
      await model.create(session);
    },
    findById: (sessionId: string): Promise<Session | null> => model.findById(sessionId).lean().exec(),
    async touch(sessionId: string, now: Date): Promise<void> {
      await model.updateOne({ _id: sessionId }, { $max: { lastSeenAt: now } });
    },
    /** Moves a session, or all of the person, to the person's version; an ended session stays ended. */
    async follow(session: { userId: string; _id?: string }, version: number): Promise<void> {
      const before = { ...session, credentialVersion: version - 1 };
      await model.updateMany(before, { $set: { credentialVersion: version } });
    },
    async remove(sessionId: string): Promise<void> {
      await model.deleteOne({ _id: sessionId });
    },
    /** Answers how many there were. */
    async removeOfUser(userId: string, exceptId?: string): Promise<number> {
      const others = exceptId === undefined ? {} : { _id: { $ne: exceptId } };
      return (await model.deleteMany({ userId, ...others })).deletedCount;
    },
    async removeOwn(userId: string, sessionId: string): Promise<boolean> {
      return (await model.deleteOne({ _id: sessionId, userId })).deletedCount === 1;
    },
    listOfUser: (userId: string): Promise<Session[]> =>
      model.find({ userId }).sort({ createdAt: -1 }).limit(MAX_LISTED).lean().exec(),
  };
}
