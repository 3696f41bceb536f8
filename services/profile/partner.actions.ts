/** Actions for a partner's token. */

import { BUSINESS_TYPES } from "../../shared/contract/vocabularies.ts";
import { REPLAYED } from "../../shared/idempotency.rules.ts";
import { isTestCaller, partnerOf } from "../../shared/identity/caller.ts";
import { createGroupAnswerer } from "../../shared/moleculer/answer-group.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import {
  type ActionContext,
  type Actions,
  type AnswerMeta,
  internal,
  published,
} from "../../shared/moleculer/typed-actions.ts";
import { createOnce } from "./change/create-profile.ts";
import { originOf } from "./change/profile-events.rules.ts";
import { etagOf } from "./change/update-own.ts";
import { patchPerson, patchProfile, replaceProfile } from "./change/updates.ts";
import { identityRequirements, listCountries } from "./country/country-lists.ts";
import type { Deps } from "./deps.ts";
import type { Warned } from "./input/violations.rules.ts";
import { getByReference, getOwnProfile } from "./read/get-profile.ts";
import { listProfiles } from "./read/list-profiles.ts";
import { profileView, verificationView } from "./read/profile.view.ts";
import { simulateReview } from "./review/simulate-review.ts";

type HttpContext = ActionContext<HttpParams>;

export function partnerActions(deps: Deps, runtime: Pick<Runtime, "logger" | "tracer">) {
  /** Creates that arrive together are one call and one write, each with its own answer. */
  const createTogether = createGroupAnswerer(runtime, "profile.create", async ({ body, headers }, meta) => {
    const { callId = null } = meta;
    const { idempotencyKey = null, isStrict = false } = headers;
    const request = { partnerId: partnerOf(meta), idempotencyKey, callId };
    const create = () =>
      createOnce(deps, { ...request, isTest: isTestCaller(meta), body, isStrict, origin: originOf(meta) });
    return warned(meta, await deps.keysInUse(request, create));
  });
  const getOwn = ({ params, meta }: HttpContext) =>
    getOwnProfile(deps, partnerOf(meta), params.params.customerId);

  return {
    create: internal(({ params }) => createTogether(params.requests)),
    replace: published((ctx) => updated(ctx, replaceProfile(deps, updateOf(ctx, "businessProfileId")))),
    patch: published((ctx) => updated(ctx, patchProfile(deps, updateOf(ctx, "customerId")))),
    patchPerson: published((ctx) => {
      const uboId = (ctx.params.params.uboId ?? "").toLowerCase();
      return updated(ctx, patchPerson(deps, { ...updateOf(ctx, "customerId"), uboId }));
    }),
    simulate: published(async (ctx) => {
      const { meta } = ctx;
      const { idempotencyKey = null } = ctx.params.headers;
      const { partnerId, customerId, body, isStrict, origin } = updateOf(ctx, "customerId");
      const request = { partnerId, idempotencyKey, callId: meta.callId ?? null };
      const simulate = () =>
        simulateReview(deps, { partnerId, customerId, body, idempotencyKey, isStrict, origin });
      return warned(meta, await deps.keysInUse(request, simulate));
    }),
    list: published(({ params, meta }) => listProfiles(deps, partnerOf(meta), params.query)),
    get: published(async (ctx) => tagged(ctx, profileView(await getOwn(ctx)))),
    getByReference: published(async (ctx) => {
      const { partnerCustomerId } = ctx.params.params;
      return tagged(ctx, profileView(await getByReference(deps, partnerOf(ctx.meta), partnerCustomerId)));
    }),
    verificationStatus: published(async (ctx) => tagged(ctx, verificationView(await getOwn(ctx)))),
    identityRequirements: published(({ params }) => identityRequirements(deps, params.query.countryCode)),
    countries: published(() => listCountries(deps)),
    businessTypes: published(() => ({ items: BUSINESS_TYPES })),
  } satisfies Partial<Actions<"profile">>;
}

/** An answer carries its version, for a later If-Match. */
function tagged<T extends { version: number }>(ctx: HttpContext, value: T): T {
  ctx.meta.$responseHeaders = { ETag: etagOf(value.version) };
  return value;
}

function warned<T>(meta: AnswerMeta, { value, warnings, isReplay }: Warned<T>): T {
  meta.$warnings = warnings;
  if (isReplay) meta.$responseHeaders = { ...REPLAYED };
  return value;
}

const updated = async <T extends { version: number }>(ctx: HttpContext, work: Promise<Warned<T>>) =>
  tagged(ctx, warned(ctx.meta, await work));

const updateOf = ({ params, meta }: HttpContext, idParameter: string) => ({
  partnerId: partnerOf(meta),
  customerId: (params.params[idParameter] ?? "").toLowerCase(),
  body: params.body,
  isStrict: params.headers.isStrict === true,
  ifMatch: params.headers.ifMatch,
  origin: originOf(meta),
  meta,
});
