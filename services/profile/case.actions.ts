/** Actions of analysts. */
import { isoTime } from "../../shared/clock.ts";
import { analystOf } from "../../shared/identity/caller.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import { originOf } from "./change/profile-events.rules.ts";
import type { Deps } from "./deps.ts";
import { findProfile } from "./read/get-profile.ts";
import { currentState } from "./record/verification.rules.ts";
import { caseDetail } from "./review/case.view.ts";
import { countCases, listCases } from "./review/list-cases.ts";
import { revealIdentity, viewDocument } from "./review/look-closer.ts";
import {
  addNote,
  approveCase,
  type CaseCall,
  caseFact,
  claimCase,
  claimNextCase,
  rejectCase,
  releaseCase,
  requestChanges,
} from "./review/review-case.ts";

/** The newest entries of a trail. */
const SHOWN_ENTRIES = 200;

export const caseActions = (deps: Deps) =>
  ({
    listCases: published(({ params, meta }) => listCases(deps, analystOf(meta).userId, params.query)),
    getCase: published(async ({ params, meta }) => {
      analystOf(meta);
      const profile = await findProfile(deps, params.params.customerId);
      await deps.audit.asked(meta, caseFact("case.read", profile, null, null));
      const [trails, names] = await Promise.all([
        deps.cases.readTrails(profile, SHOWN_ENTRIES),
        deps.partnerNames([profile.partnerId]),
      ]);
      return caseDetail(currentState(profile, isoTime(deps.clock)), trails, names);
    }),
    countCases: published(({ params, meta }) => countCases(deps, analystOf(meta).userId, params.query)),
    claimNextCase: published((ctx) => claimNextCase(deps, callOf(ctx))),
    addNote: published((ctx) => addNote(deps, callOf(ctx))),
    claimCase: published((ctx) => claimCase(deps, callOf(ctx))),
    releaseCase: published((ctx) => releaseCase(deps, callOf(ctx))),
    requestChanges: published((ctx) => requestChanges(deps, callOf(ctx))),
    approveCase: published((ctx) => approveCase(deps, callOf(ctx))),
    rejectCase: published((ctx) => rejectCase(deps, callOf(ctx))),
    viewDocument: published((ctx) =>
      viewDocument(deps, { ...callOf(ctx), documentId: idIn(ctx, "documentId") }),
    ),
    revealIdentity: published((ctx) =>
      revealIdentity(deps, {
        ...callOf(ctx),
        uboId: idIn(ctx, "uboId"),
        index: ctx.params.params.index ?? "",
      }),
    ),
  }) satisfies Partial<Actions<"profile">>;

const idIn = ({ params }: ActionContext<HttpParams>, name: string): string =>
  (params.params[name] ?? "").toLowerCase();

const callOf = (ctx: ActionContext<HttpParams>): CaseCall => ({
  customerId: idIn(ctx, "customerId"),
  analyst: analystOf(ctx.meta),
  body: ctx.params.body,
  ifMatch: ctx.params.headers.ifMatch,
  origin: originOf(ctx.meta),
  meta: ctx.meta,
});
