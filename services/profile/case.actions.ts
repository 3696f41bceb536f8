/** What an analyst may do. */
import { isoTime } from "../../shared/clock.ts";
import { analystOf } from "../../shared/identity/caller.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { type ActionContext, type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import { originOf } from "./change/origin.ts";
import type { Deps } from "./deps.ts";
import { findProfile } from "./read/get-profile.ts";
import { currentState } from "./record/verification.rules.ts";
import { caseDetail } from "./review/case.view.ts";
import { listCases } from "./review/list-cases.ts";
import {
  approveCase,
  type CaseCall,
  caseFact,
  claimCase,
  rejectCase,
  releaseCase,
  requestChanges,
} from "./review/review-case.ts";

/** The newest entries; the whole trail stays in the database. */
const SHOWN_AUDIT_ENTRIES = 200;

export const caseActions = (deps: Deps) =>
  ({
    listCases: published(({ params, meta }) => listCases(deps, analystOf(meta).userId, params.query)),
    getCase: published(async ({ params, meta }) => {
      analystOf(meta);
      const profile = await findProfile(deps, params.params.customerId);
      await deps.audit.asked(meta, caseFact("case.read", profile, null, null));
      const audit = await deps.profiles.readAudit(profile._id, SHOWN_AUDIT_ENTRIES);
      return caseDetail(currentState(profile, isoTime(deps.clock)), audit);
    }),
    claimCase: published((ctx) => claimCase(deps, callOf(ctx))),
    releaseCase: published((ctx) => releaseCase(deps, callOf(ctx))),
    requestChanges: published((ctx) => requestChanges(deps, callOf(ctx))),
    approveCase: published((ctx) => approveCase(deps, callOf(ctx))),
    rejectCase: published((ctx) => rejectCase(deps, callOf(ctx))),
  }) satisfies Partial<Actions<"profile">>;

const callOf = ({ params, meta }: ActionContext<HttpParams>): CaseCall => ({
  customerId: (params.params.customerId ?? "").toLowerCase(),
  analyst: analystOf(meta),
  body: params.body,
  ifMatch: params.headers.ifMatch,
  origin: originOf(meta),
  meta,
});
