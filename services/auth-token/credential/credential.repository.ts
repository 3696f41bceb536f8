/** Reads and writes API clients; changes are compare-and-set on the version that was read. */
import type { Connection } from "mongoose";
import { certificateId } from "../../../shared/identity/token-id.ts";
import { modelOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import {
  type Credential,
  type CredentialFacts,
  credentialSchema,
  type TokenFailure,
} from "./credential.model.ts";

export type CredentialRepository = ReturnType<typeof credentialRepository>;

export type CredentialChange = Partial<
  Pick<Credential, "certificates" | "removedCertificates" | "status" | "revokedAt">
>;

export type RefusedClient = { credentialId: string; failure: TokenFailure };

export const KEPT_FAILURES = 50;

export function credentialRepository(connection: Connection) {
  const model = modelOf(connection, COLLECTIONS.credentials, credentialSchema);
  return {
    async insert(credential: Credential): Promise<void> {
      await model.create(credential);
    },
    /** The one in force, or else the one revoked last. */
    findByClientId: (clientId: string): Promise<CredentialFacts | null> =>
      model.findOne({ clientId }, { recentFailures: 0 }).sort({ createdAt: -1 }).lean().exec(),
    findOfPartner: (partnerId: string, credentialId: string): Promise<Credential | null> =>
      model.findOne({ _id: credentialId, partnerId }).lean().exec(),
    listOfPartner: (partnerId: string): Promise<CredentialFacts[]> =>
      model.find({ partnerId }, { recentFailures: 0 }).sort({ createdAt: -1 }).limit(50).lean().exec(),
    /** Null when the credential changed since it was read. */
    replaceIfUnchanged({ _id, version }: Credential, change: CredentialChange): Promise<Credential | null> {
      const update = { $set: change, $inc: { version: 1 } };
      return model.findOneAndUpdate({ _id, version }, update, { returnDocument: "after" }).lean().exec();
    },
    revokedSince: (since: Date): Promise<string[]> =>
      model.distinct("_id", { status: "Revoked", revokedAt: { $gte: since } }).exec(),
    async certificatesRemovedSince(since: Date): Promise<string[]> {
      const rows = await model
        .find({ "removedCertificates.at": { $gte: since } }, { removedCertificates: 1 })
        .lean()
        .exec();
      return rows.flatMap(({ _id, removedCertificates = [] }) =>
        removedCertificates.map(({ thumbprint }) => certificateId(_id, thumbprint)),
      );
    },
    /** In the order of time. */
    async addFailures(refused: readonly RefusedClient[]): Promise<void> {
      const byCredential = Map.groupBy(refused, ({ credentialId }) => credentialId);
      const writes = [...byCredential].map(([_id, each]) => {
        const failures = each.slice(-KEPT_FAILURES).map(({ failure }) => failure);
        const latest = { $each: failures, $slice: -KEPT_FAILURES };
        return { updateOne: { filter: { _id }, update: { $push: { recentFailures: latest } } } };
      });
      await model.bulkWrite(writes, { ordered: false });
    },
  };
}
