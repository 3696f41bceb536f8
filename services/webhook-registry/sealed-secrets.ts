/** The secrets of all endpoints, for the sweep that moves them to the newest field key. */
import type { SealedRecords } from "../../shared/sealing/field-key-sweep.ts";
import { COLLECTIONS } from "./collections.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./endpoint.model.ts";

export const sealedSecrets = ({
  endpoints,
  vault,
}: Pick<Deps, "endpoints" | "vault">): SealedRecords<Endpoint, Endpoint> => ({
  name: COLLECTIONS.endpoints.name,
  page: endpoints.pageAfter,
  sealedIn: ({ secrets }) => secrets.map(({ sealed }) => sealed),
  move: (endpoint) =>
    endpoint.secrets.some(vault.isStale)
      ? { ...endpoint, secrets: endpoint.secrets.map((secret) => vault.reseal(endpoint._id, secret)) }
      : null,
  write: endpoints.replaceSecrets,
});
