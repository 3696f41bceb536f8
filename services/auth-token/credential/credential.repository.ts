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
    /** Changes the credential when nobody else did since it was read. */
    async replaceIfUnchanged(
      { _id, version }: Credential,
      change: Partial<Pick<Credential, "certificates" | "removedCertificates" | "status" | "revokedAt">>,
    ): Promise<Credential | null> {
      return await model
        .findOneAndUpdate(
          { _id, version },
          { $set: change, $inc: { version: 1 } },
          { returnDocument: "after" },
        )
        .lean()
        .exec();
    },
    async revokedSince(since: Date): Promise<string[]> {
      const rows = await model
        .find({ status: "Revoked", revokedAt: { $gte: since } }, { _id: 1 })
        .lean()
        .exec();
      return rows.map((row) => row._id);
    },
    async certificatesRemovedSince(since: Date): Promise<string[]> {
      const rows = await model
        .find({ "removedCertificates.at": { $gte: since } }, { removedCertificates: 1 })
        .lean()
        .exec();
      return rows.flatMap(({ _id, removedCertificates = [] }) =>
        removedCertificates.map(({ thumbprint }) => certificateId(_id, thumbprint)),
      );
    },
    async addFailures(credentialId: string, failures: readonly TokenFailure[]): Promise<void> {
      await model.updateOne(
        { _id: credentialId },
        { $push: { recentFailures: { $each: [...failures], $slice: -KEPT_FAILURES } } },
      );
    },
  };
}
