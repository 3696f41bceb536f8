/** Counts of login tries. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { nextTry, pauseLeft, type ThrottlePolicy, triesWithNext } from "./login-throttle.rules.ts";

/** `wait` in milliseconds is 0 when the try may be made; `tries` counts it. */
type CountedTry = { wait: number; tries: number };

export function loginThrottleRepository(connection: Connection) {
  const throttles = collectionOf(connection, COLLECTIONS.loginThrottles);

  return {
    /** Milliseconds to wait before the next try. */
    pause: async (_id: string, now: number): Promise<number> =>
      pauseLeft(await throttles.findOne({ _id }), now),
    /** Counts one try. */
    async countTry(_id: string, policy: ThrottlePolicy, now: number): Promise<CountedTry> {
      const before = await throttles.findOneAndUpdate({ _id }, nextTry(policy, now), {
        upsert: true,
        returnDocument: "before",
      });
      const wait = pauseLeft(before, now);
      return { wait, tries: wait > 0 && before ? before.tries : triesWithNext(before, now) };
    },
    async takeBack(_id: string): Promise<void> {
      await throttles.updateOne(
        { _id, tries: { $gt: 0 } },
        { $inc: { tries: -1 }, $set: { blockedUntil: new Date(0) } },
      );
    },
    async forget(_id: string): Promise<void> {
      await throttles.deleteOne({ _id });
    },
  };
}
