/** Reads and writes the keys that sign access tokens. */
import type { Connection } from "mongoose";
import { createNew } from "../../../shared/mongo.ts";
import { type SigningKeyRecord, signingKeyModel } from "./signing-key.model.ts";

export type SigningKeyRepository = ReturnType<typeof signingKeyRepository>;

export function signingKeyRepository(connection: Connection) {
  const model = signingKeyModel(connection);
  return {
    ensureIndexes: () => model.createIndexes(),
    /** Newest first. */
    list: (): Promise<SigningKeyRecord[]> => model.find().sort({ ordinal: -1 }).lean().exec(),
    /** False when another replica made the key of this ordinal. */
    insert: (key: SigningKeyRecord): Promise<boolean> => createNew(model, key),
    async remove(kids: readonly string[]): Promise<void> {
      await model.deleteMany({ _id: { $in: [...kids] } });
    },
  };
}
