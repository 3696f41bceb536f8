/** The keys that sign access tokens, for the sweep that moves them to the newest field key. */
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import { COLLECTIONS } from "../collections.ts";
import type { SigningKeyRecord } from "./signing-key.model.ts";
import type { SealedAnew, SigningKeyRepository } from "./signing-key.repository.ts";

export const signingKeyPlace = (kid: string) => ({
  collection: COLLECTIONS.signingKeys.name,
  recordId: kid,
  field: "sealedPrivateKey",
});

export const sealedSigningKeys = (
  keys: SigningKeyRepository,
  cipher: FieldCipher,
): SealedRecords<SigningKeyRecord, SealedAnew> => ({
  name: COLLECTIONS.signingKeys.name,
  page: keys.pageAfter,
  sealedIn: ({ sealedPrivateKey }) => [sealedPrivateKey],
  move(record) {
    if (!cipher.isStale(record.sealedPrivateKey)) return null;
    const place = signingKeyPlace(record._id);
    const sealedPrivateKey = cipher.seal(cipher.open(record.sealedPrivateKey, place), place);
    return { before: record, sealedPrivateKey };
  },
  write: keys.replaceSealed,
});
