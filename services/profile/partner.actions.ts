/** What a partner's token may ask for. */
import type { ActionSchema, Context } from "moleculer";
import { type CallMeta, partnerOf } from "../../shared/identity/caller.ts";
import { createGroupAnswerer } from "../../shared/moleculer/answer-group.ts";
import type { GroupedRequest } from "../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import { createProfile } from "./change/create-profile.ts";
import { originOf } from "./change/origin.ts";
import { patchProfile } from "./change/patch-profile.ts";
import { replaceProfile } from "./change/replace-profile.ts";
import { etagOf } from "./change/update-guards.ts";
import { identityRequirements } from "./country/identity-requirements.ts";
import type { Parts } from "./deps.ts";
import { getByReference, getOwnProfile } from "./read/get-profile.ts";
import { listProfiles } from "./read/list-profiles.ts";
import { profileView } from "./read/profile.view.ts";
import { verificationView } from "./read/verification.view.ts";
import type { Profile } from "./record/profile.types.ts";
import { BUSINESS_TYPES } from "./record/vocabularies.rules.ts";

type Meta = CallMeta & { $responseHeaders?: Record<string, string> };
type HttpContext = Context<HttpParams, Meta>;

const published = (handler: (ctx: HttpContext) => unknown): ActionSchema => ({
  visibility: "published" as const,
  handler,
});

export function partnerActions(parts: Parts, runtime: Pick<Runtime, "logger" | "tracer">) {
  /** A read carries its version, for a later If-Match. */
  const tagged = <T>(ctx: HttpContext, profile: Profile, view: (profile: Profile) => T): T => {
    ctx.meta.$responseHeaders = { ETag: etagOf(profile.version) };
    return view(profile);
  };
  const update = (ctx: HttpContext, customerId: string | undefined) => ({
    partnerId: partnerOf(ctx.meta),
    customerId: (customerId ?? "").toLowerCase(),
    body: ctx.params.body,
    ifMatch: ctx.params.headers.ifMatch,
    origin: originOf(ctx.meta),
    meta: ctx.meta,
  });

  /** Creates that arrive together come in one call and are stored in one write, each with its own answer. */
  const createTogether = createGroupAnswerer(runtime, "profile.create", ({ body }, meta) =>
    createProfile(parts, {
      partnerId: partnerOf(meta),
      body,
      callId: meta.callId ?? null,
      origin: originOf(meta),
    }),
  );

  return {
    create: {
      visibility: "public" as const,
      handler: ({ params }: Context<{ requests: GroupedRequest[] }>) => createTogether(params.requests),
    },
    replace: published(async (ctx) => {
      const value = await replaceProfile(parts, update(ctx, ctx.params.params.businessProfileId));
      ctx.meta.$responseHeaders = { ETag: etagOf(value.version) };
      return value;
    }),
    patch: published(async (ctx) => {
      const value = await patchProfile(parts, update(ctx, ctx.params.params.customerId));
      ctx.meta.$responseHeaders = { ETag: etagOf(value.version) };
      return value;
    }),
    list: published(({ params, meta }) => listProfiles(parts, partnerOf(meta), params.query)),
    get: published(async (ctx) =>
      tagged(ctx, await getOwnProfile(parts, partnerOf(ctx.meta), ctx.params.params.customerId), profileView),
    ),
    getByReference: published(async (ctx) =>
      tagged(
        ctx,
        await getByReference(parts, partnerOf(ctx.meta), ctx.params.params.partnerCustomerId),
        profileView,
      ),
    ),
    verificationStatus: published(async (ctx) =>
      tagged(
        ctx,
        await getOwnProfile(parts, partnerOf(ctx.meta), ctx.params.params.customerId),
        verificationView,
      ),
    ),
    identityRequirements: published(({ params }) => identityRequirements(parts, params.query.countryCode)),
    businessTypes: published(() => ({ items: BUSINESS_TYPES })),
  };
}
