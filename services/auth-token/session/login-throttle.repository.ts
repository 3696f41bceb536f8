/** Counts login attempts. */
import type { Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import type { LoginThrottle } from "./login-throttle.model.ts";
import {
  nextTry,
  pauseLeft,
  type ThrottlePolicy,
  type ThrottleState,
  triesWithNext,
} from "./login-throttle.rules.ts";

export type LoginThrottleRepository = ReturnType<typeof loginThrottleRepository>;

/** `wait` in milliseconds is 0 when the try may be made; `tries` counts it. */
type CountedTry = { wait: number; tries: number };

export function loginThrottleRepository(connection: Connection) {
  const throttles = collectionOf(connection, COLLECTIONS.loginThrottles);

  return {
    /** Milliseconds to wait before the next try. */
    pause: async (id: string, now: number): Promise<number> =>
      pauseLeft(stateOf(await throttles.findOne({ _id: id })), now),
    /** Counts one try. */
    async countTry(id: string, policy: ThrottlePolicy, now: number): Promise<CountedTry> {
      const options = { upsert: true, returnDocument: "before" } as const;
      const before = stateOf(await throttles.findOneAndUpdate({ _id: id }, nextTry(policy, now), options));
      const wait = pauseLeft(before, now);
      return { wait, tries: wait > 0 && before ? before.tries : triesWithNext(before, now) };
    },
    async takeBack(id: string): Promise<void> {
      await throttles.updateOne(
        { _id: id, tries: { $gt: 0 } },
        { $inc: { tries: -1 }, $set: { blockedUntil: new Date(0) } },
      );
    },
    async forget(id: string): Promise<void> {
      await throttles.deleteOne({ _id: id });
    },
  };
}

const stateOf = (record: LoginThrottle | null): ThrottleState | null =>
  record && {
    tries: record.tries,
    blockedUntil: record.blockedUntil.getTime(),
    expiresAt: record.expiresAt.getTime(),
  };
