import type { ActionSchema, Context } from "moleculer";
import { AppError } from "../../shared/errors.ts";
import { type CallMeta, partnerOf } from "../../shared/identity/caller.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import {
  addCertificate,
  createCredential,
  removeCertificate,
  revokeCredential,
} from "./credential/change-credential.ts";
import type { Credential } from "./credential/credential.model.ts";
import { credentialView, failureView } from "./credential/credential.view.ts";
import type { Parts } from "./deps.ts";

type HttpContext = Context<HttpParams, CallMeta>;

export function credentialActions(parts: Parts) {
  const { credentials, clients, logger } = parts;

  /** Every change is logged with who made it, and takes effect at once in this process. */
  const changing = (
    fact: string,
    run: (ctx: HttpContext, partnerId: string) => Promise<Credential>,
  ): ActionSchema => ({
    visibility: "published" as const,
    async handler(ctx: HttpContext) {
      const partnerId = partnerOf(ctx.meta);
      const credential = await run(ctx, partnerId);
      clients.forget();
      const userId = ctx.meta.caller?.kind === "user" ? ctx.meta.caller.userId : null;
      const { requestId } = ctx.meta;
      logger.info({ requestId, partnerId, userId, credentialId: credential._id }, fact);
      return credentialView(credential);
    },
  });

  return {
    listCredentials: {
      visibility: "published" as const,
      async handler(ctx: HttpContext) {
        const items = await credentials.listOfPartner(partnerOf(ctx.meta));
        return { items: items.map(credentialView) };
      },
    },
    createCredential: changing("credential.created", ({ params }, partnerId) =>
      createCredential(parts, partnerId, certificateOf(params)),
    ),
    addCertificate: changing("certificate.added", ({ params }, partnerId) =>
      addCertificate(parts, partnerId, idOf(params), certificateOf(params)),
    ),
    removeCertificate: changing("certificate.removed", ({ params }, partnerId) =>
      removeCertificate(parts, partnerId, idOf(params), params.params.thumbprint ?? ""),
    ),
    revokeCredential: changing("credential.revoked", ({ params }, partnerId) =>
      revokeCredential(parts, partnerId, idOf(params)),
    ),
    listTokenFailures: {
      visibility: "published" as const,
      async handler(ctx: HttpContext) {
        const credential = await credentials.findOfPartner(partnerOf(ctx.meta), idOf(ctx.params));
        if (!credential)
          throw new AppError("ApiCredential.NotFound", "The partner has no API client with this id.");
        return { items: credential.recentFailures.map(failureView).reverse() };
      },
    },
  };
}

const idOf = ({ params }: HttpParams): string => params.credentialId ?? "";

const certificateOf = ({ body }: HttpParams): unknown =>
  body !== null && typeof body === "object" && "certificate" in body ? body.certificate : undefined;
