/** Reads and writes people who sign in. */
import type { Connection } from "mongoose";
import type { Role } from "../../../shared/identity/caller.ts";
import { type User, type UserFacts, userModel } from "./user.model.ts";

export type UserRepository = ReturnType<typeof userRepository>;

const MAX_KNOWN_ADDRESSES = 10;
const MAX_LISTED = 1_000;

export function userRepository(connection: Connection) {
  const model = userModel(connection);
  return {
    ensureIndexes: () => model.createIndexes(),
    async insert(user: User): Promise<void> {
      await model.create(user);
    },
    findByEmail: (email: string): Promise<User | null> => model.findOne({ email }).lean().exec(),
    findById: (userId: string): Promise<User | null> => model.findById(userId).lean().exec(),
    list: (partnerId: string | null): Promise<UserFacts[]> =>
      model
        .find(partnerId ? { partnerId } : {}, { passwordHash: 0, knownAddresses: 0 })
        .sort({ createdAt: -1 })
        .limit(MAX_LISTED)
        .lean()
        .exec(),
    async setPassword(userId: string, passwordHash: string, now: Date): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { passwordHash, passwordChangedAt: now } });
    },
    async setDisabled(userId: string, disabledAt: Date | null): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { disabledAt } });
    },
    async setRole(userId: string, role: Role): Promise<void> {
      await model.updateOne({ _id: userId }, { $set: { role } });
    },
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
