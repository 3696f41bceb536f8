/** A partner's people manage its API client in the dashboard. */
import { AppError } from "../../shared/errors.ts";
import { partnerOf } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import {
  addCertificate,
  createCredential,
  removeCertificate,
  revokeCredential,
} from "./credential/change-credential.ts";
import type { Credential } from "./credential/credential.model.ts";
import { credentialFact, credentialView } from "./credential/credential.view.ts";
import type { Deps } from "./deps.ts";

export function credentialActions(deps: Deps) {
  const { audit, credentials } = deps;

  const changing = (action: string, run: (params: HttpParams, partnerId: string) => Promise<Credential>) =>
    published(({ params, meta }: ActionContext<HttpParams>) => {
      const partnerId = partnerOf(meta);
      return audit.change(meta, async () => {
        const before = await credentials.findOfPartner(partnerId, idOf(params));
        const after = await run(params, partnerId);
        return { value: credentialView(after), fact: credentialFact(action, before, after) };
      });
    });

  return {
    listCredentials: published(async ({ meta }) => ({
      items: (await credentials.listOfPartner(partnerOf(meta))).map(credentialView),
    })),
    createCredential: changing("credential.created", (params, partnerId) =>
      createCredential(deps, partnerId, certificateOf(params)),
    ),
    addCertificate: changing("certificate.added", (params, partnerId) =>
      addCertificate(deps, partnerId, idOf(params), certificateOf(params)),
    ),
    removeCertificate: changing("certificate.removed", (params, partnerId) =>
      removeCertificate(deps, partnerId, idOf(params), params.params.thumbprint ?? ""),
    ),
    revokeCredential: changing("credential.revoked", (params, partnerId) =>
      revokeCredential(deps, partnerId, idOf(params)),
    ),
    listTokenFailures: published(async ({ params, meta }) => {
      const credential = await credentials.findOfPartner(partnerOf(meta), idOf(params));
      if (!credential)
        throw new AppError("ApiCredential.NotFound", "The partner has no API client with this id.");
      const items = credential.recentFailures.map(({ at, ...failure }) => ({
        at: at.toISOString(),
        ...failure,
      }));
      return { items: items.reverse() };
    }),
  } satisfies Partial<Actions<"auth-token">>;
}

const idOf = ({ params }: HttpParams): string => params.credentialId ?? "";

const certificateOf = ({ body }: HttpParams): unknown => (isRecord(body) ? body.certificate : undefined);
