/** Reads and writes people who sign in. */
import type { Connection } from "mongoose";
import { AppError } from "../../../shared/errors.ts";
import type { Role } from "../../../shared/identity/caller.ts";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { type SecondFactor, type User, type UserFacts, userSchema } from "./user.model.ts";

/** Sealed secrets by the path of their field. */
export type SealedFactors = Record<string, string>;

const MAX_KNOWN_ADDRESSES = 10;
const MAX_LISTED = 1_000;
const NEXT_VERSION = { $inc: { credentialVersion: 1 } } as const;
const WITHOUT_SECRETS = {
  passwordHash: 0,
  knownAddresses: 0,
  secondFactor: 0,
  pendingSecondFactor: 0,
} as const;

export function userRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.users, userSchema);
  const newest = (filter: { partnerId?: string }): Promise<UserFacts[]> =>
    model.find(filter, WITHOUT_SECRETS).sort({ createdAt: -1 }).limit(MAX_LISTED).lean().exec();
  const changed = (filter: object, update: object): Promise<User | null> =>
    model.findOneAndUpdate(filter, update, { returnDocument: "after" }).lean().exec();
  /** Answers the version from now on. */
  async function raise(userId: string, $set: Partial<User>): Promise<number> {
    const user = await changed({ _id: userId }, { $set, ...NEXT_VERSION });
    if (!user) throw new AppError("User.NotFound", "There is no person with this id.");
    return user.credentialVersion;
  }
  return {
    async insert(user: User): Promise<void> {
      await model.create(user);
    },
    findByEmail: (email: string): Promise<User | null> => model.findOne({ email }).lean().exec(),
    findById: (userId: string): Promise<User | null> => model.findById(userId).lean().exec(),
    /** An empty id would list people of no partner, and is refused. */
    async list(partnerId: string): Promise<UserFacts[]> {
      if (partnerId === "") throw new AppError("Partner.NotFound", "There is no partner without an id.");
      return newest({ partnerId });
    },
    listAll: (): Promise<UserFacts[]> => newest({}),
    /** Counts Owners who may sign in. */
    hasOtherOwner: async (partnerId: string, exceptId: string): Promise<boolean> =>
      (await model.exists({ partnerId, role: "Owner", disabledAt: null, _id: { $ne: exceptId } })) !== null,
    setPassword: (userId: string, passwordHash: string, now: Date): Promise<number> =>
      raise(userId, { passwordHash, passwordChangedAt: now }),
    /** Null when the credentials changed since the person was read. */
    async replacePassword(read: User, passwordHash: string, now: Date): Promise<number | null> {
      const same = { _id: read._id, credentialVersion: read.credentialVersion };
      const user = await changed(same, { $set: { passwordHash, passwordChangedAt: now }, ...NEXT_VERSION });
      return user?.credentialVersion ?? null;
    },
    /** Ends what was checked before. */
    raiseVersion: (userId: string): Promise<number> => raise(userId, {}),
    async beginSecondFactor(userId: string, pendingSecondFactor: string): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { pendingSecondFactor } });
    },
    /** The version from now on, or null when another set-up was begun meanwhile. */
    async confirmSecondFactor(userId: string, secondFactor: SecondFactor): Promise<number | null> {
      const pending = { _id: userId, pendingSecondFactor: secondFactor.sealed };
      const $set = { secondFactor, pendingSecondFactor: null };
      const user = await changed(pending, { $set, ...NEXT_VERSION });
      return user?.credentialVersion ?? null;
    },
    removeSecondFactor: (userId: string): Promise<number> =>
      raise(userId, { secondFactor: null, pendingSecondFactor: null }),
    /** False for a step that was used already, or is older than one that was. */
    async useStep(userId: string, step: number): Promise<boolean> {
      const unused = { _id: userId, "secondFactor.usedUpTo": { $lt: step } };
      return (await model.updateOne(unused, { $set: { "secondFactor.usedUpTo": step } })).modifiedCount === 1;
    },
    async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
      const code = { "secondFactor.recoveryHashes": hash };
      return (await model.updateOne({ _id: userId, ...code }, { $pull: code })).modifiedCount === 1;
    },
    /** Users with a factor, also an unconfirmed one. */
    pageWithFactor(after: string, limit: number): Promise<User[]> {
      const hasFactor = { $or: [{ secondFactor: { $ne: null } }, { pendingSecondFactor: { $ne: null } }] };
      const filter = { _id: { $gt: after }, ...hasFactor };
      return model.find(filter).sort({ _id: 1 }).limit(limit).lean().exec();
    },
    /** Unless they were changed meanwhile. */
    async replaceSealed(
      moves: readonly { userId: string; before: SealedFactors; after: SealedFactors }[],
    ): Promise<void> {
      for (const { userId, before, after } of moves)
        await model.updateOne({ _id: userId, ...before }, { $set: after });
    },
    async setDisabled(userId: string, disabledAt: Date | null): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { disabledAt }, ...(disabledAt ? NEXT_VERSION : {}) });
    },
    async setLead(userId: string, isLead: boolean): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { isLead } });
    },
    setRole: (userId: string, role: Role): Promise<number> => raise(userId, { role }),
    /** Stores the same password with newer parameters, unless it was changed meanwhile. */
    async rehash(user: User, passwordHash: string): Promise<void> {
      await model.updateOne({ _id: user._id, passwordHash: user.passwordHash }, { $set: { passwordHash } });
    },
    async rememberAddress(userId: string, addressHash: string): Promise<void> {
      await model.updateOne(
        { _id: userId, knownAddresses: { $ne: addressHash } },
        { $push: { knownAddresses: { $each: [addressHash], $slice: -MAX_KNOWN_ADDRESSES } } },
      );
    },
  };
}
