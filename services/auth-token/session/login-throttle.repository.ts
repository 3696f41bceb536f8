/** Counts of login tries, changed by compare-and-set. */
import type { Connection } from "mongoose";
import { createNew } from "../../../shared/mongo/mongo.ts";
import { type LoginThrottle, loginThrottleModel } from "./login-throttle.model.ts";
import { afterTry, pauseLeft, type ThrottlePolicy, type ThrottleState } from "./login-throttle.rules.ts";

export type LoginThrottleRepository = ReturnType<typeof loginThrottleRepository>;

/** `wait` in milliseconds is 0 when the try may be made; `tries` counts it. */
type CountedTry = { wait: number; tries: number };

/** Parallel tries of one key retry their write; more conflicts than this are an attack and are refused. */
const MAX_CONFLICTS = 20;

export function loginThrottleRepository(connection: Connection) {
  const model = loginThrottleModel(connection);
  const read = async (id: string): Promise<LoginThrottle | null> => model.findById(id).lean().exec();

  /** True when the state was still the one read. */
  async function write(id: string, before: ThrottleState | null, after: ThrottleState): Promise<boolean> {
    const $set = {
      tries: after.tries,
      blockedUntil: new Date(after.blockedUntil),
      expiresAt: new Date(after.expiresAt),
    };
    if (before) {
      const seen = { _id: id, tries: before.tries, expiresAt: new Date(before.expiresAt) };
      return (await model.updateOne(seen, { $set })).matchedCount === 1;
    }
    return createNew(model, { _id: id, ...$set });
  }

  return {
    /** Milliseconds to wait before the next try. */
    pause: async (id: string, now: number): Promise<number> => pauseLeft(stateOf(await read(id)), now),
    /** Counts one try. */
    async countTry(id: string, policy: ThrottlePolicy, now: number): Promise<CountedTry> {
      for (let conflict = 0; conflict < MAX_CONFLICTS; conflict += 1) {
        const before = stateOf(await read(id));
        const wait = pauseLeft(before, now);
        if (wait > 0) return { wait, tries: before?.tries ?? 0 };
        const after = afterTry(before, policy, now);
        if (await write(id, before, after)) return { wait: 0, tries: after.tries };
      }
      return { wait: policy.firstPauseMs, tries: MAX_CONFLICTS };
    },
    async takeBack(id: string): Promise<void> {
      await model.updateOne(
        { _id: id, tries: { $gt: 0 } },
        { $inc: { tries: -1 }, $set: { blockedUntil: new Date(0) } },
      );
    },
    async forget(id: string): Promise<void> {
      await model.deleteOne({ _id: id });
    },
  };
}

const stateOf = (record: LoginThrottle | null): ThrottleState | null =>
  record && {
    tries: record.tries,
    blockedUntil: record.blockedUntil.getTime(),
    expiresAt: record.expiresAt.getTime(),
  };
