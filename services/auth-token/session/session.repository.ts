/** Reads and writes dashboard sessions. */
import type { Connection } from "mongoose";
import { type Session, sessionModel } from "./session.model.ts";

export type SessionRepository = ReturnType<typeof sessionRepository>;

export function sessionRepository(connection: Connection) {
  const model = sessionModel(connection);
  return {
    async insert(session: Session): Promise<void> {
      await model.create(session);
    },
    findById: (sessionId: string): Promise<Session | null> => model.findById(sessionId).lean().exec(),
    async touch(sessionId: string, now: Date): Promise<void> {
      await model.updateOne({ _id: sessionId }, { $max: { lastSeenAt: now } });
    },
    async remove(sessionId: string): Promise<void> {
      await model.deleteOne({ _id: sessionId });
    },
    async removeOfUser(userId: string, exceptId?: string): Promise<void> {
      await model.deleteMany({ userId, ...(exceptId === undefined ? {} : { _id: { $ne: exceptId } }) });
    },
  };
}
