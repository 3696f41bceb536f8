/** Creates signing secrets and seals them; the plain text exists only in the answer that shows it. */
import { randomBytes } from "node:crypto";
import { randomId } from "../../shared/ids.ts";
import type { FieldCipher, FieldPlace } from "../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../shared/sealing/field-key-sweep.ts";
import { COLLECTIONS } from "./collections.ts";
import type { Endpoint } from "./endpoint.model.ts";
import type { EndpointRepository } from "./endpoint.repository.ts";
import { SECRET_BYTES, type StoredSecret, secretText } from "./secret.rules.ts";

export type SecretVault = ReturnType<typeof secretVault>;

/** Bound to the endpoint and to this secret: a copy in another record does not open. */
export const secretPlace = (endpointId: string, secretId: string): FieldPlace => ({
  collection: COLLECTIONS.endpoints.name,
  recordId: endpointId,
  field: `secrets.${secretId}`,
});

export const secretVault = (cipher: FieldCipher) => ({
  create(endpointId: string, now: Date): { plain: string; stored: StoredSecret } {
    const id = randomId();
    const plain = secretText(randomBytes(SECRET_BYTES));
    const sealed = cipher.seal(plain, secretPlace(endpointId, id));
    return { plain, stored: { id, sealed, createdAt: now, notAfter: null } };
  },
});

/** The secrets of all endpoints, for the sweep that moves them to the newest field key. */
export const sealedSecrets = (
  endpoints: Pick<EndpointRepository, "pageAfter" | "replaceSecrets">,
  cipher: FieldCipher,
): SealedRecords<Endpoint, Endpoint> => ({
  name: COLLECTIONS.endpoints.name,
  page: endpoints.pageAfter,
  sealedIn: ({ secrets }) => secrets.map(({ sealed }) => sealed),
  move: (endpoint) => {
    if (!endpoint.secrets.some(({ sealed }) => cipher.isStale(sealed))) return null;
    const secrets = endpoint.secrets.map((secret) => {
      const context = secretPlace(endpoint._id, secret.id);
      return { ...secret, sealed: cipher.seal(cipher.open(secret.sealed, context), context) };
    });
    return { ...endpoint, secrets };
  },
  write: endpoints.replaceSecrets,
});
