/** Makes secrets and seals them; the plain text exists only in the answer that shows it. */
import { randomBytes } from "node:crypto";
import { randomId } from "../../shared/ids.ts";
import type { FieldCipher, FieldPlace } from "../../shared/sealing/field-cipher.ts";
import { COLLECTIONS } from "./collections.ts";
import { SECRET_BYTES, type StoredSecret, secretText } from "./secret.rules.ts";

export type SecretVault = {
  create(endpointId: string, now: Date): { plain: string; stored: StoredSecret };
  /** Sealed again with the newest key where it was not. */
  reseal(endpointId: string, secret: StoredSecret): StoredSecret;
  isStale(secret: StoredSecret): boolean;
};

/** Bound to the endpoint and to this one secret, so that a copy in another place does not open. */
export const secretPlace = (endpointId: string, secretId: string): FieldPlace => ({
  collection: COLLECTIONS.endpoints.name,
  recordId: endpointId,
  field: `secrets.${secretId}`,
});

export function secretVault(cipher: FieldCipher): SecretVault {
  return {
    create(endpointId, now) {
      const id = randomId();
      const plain = secretText(randomBytes(SECRET_BYTES));
      const sealed = cipher.seal(plain, secretPlace(endpointId, id));
      return { plain, stored: { id, sealed, createdAt: now, notAfter: null } };
    },
    reseal(endpointId, secret) {
      if (!cipher.isStale(secret.sealed)) return secret;
      const place = secretPlace(endpointId, secret.id);
      return { ...secret, sealed: cipher.seal(cipher.open(secret.sealed, place), place) };
    },
    isStale: ({ sealed }) => cipher.isStale(sealed),
  };
}
