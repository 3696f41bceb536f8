/** What an analyst may do. */
import type { ActionSchema, Context } from "moleculer";
import { isoTime } from "../../shared/clock.ts";
import { analystOf, type CallMeta } from "../../shared/identity/caller.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import { originOf } from "./change/origin.ts";
import type { Parts } from "./deps.ts";
import { findProfile } from "./read/get-profile.ts";
import { currentState } from "./record/verification.rules.ts";
import { caseDetail } from "./review/case.view.ts";
import { listCases } from "./review/list-cases.ts";
import {
  approveCase,
  type CaseCall,
  claimCase,
  rejectCase,
  releaseCase,
  requestChanges,
} from "./review/review-case.ts";

type HttpContext = Context<HttpParams, CallMeta>;

/** The newest entries; the whole trail stays in the database. */
const SHOWN_AUDIT_ENTRIES = 200;

export function caseActions(parts: Parts) {
  const step = (take: (parts: Parts, call: CaseCall) => Promise<unknown>): ActionSchema => ({
    visibility: "published" as const,
    handler: ({ params, meta }: HttpContext) =>
      take(parts, {
        customerId: (params.params.customerId ?? "").toLowerCase(),
        analyst: analystOf(meta),
        body: params.body,
        origin: originOf(meta),
      }),
  });

  return {
    listCases: {
      visibility: "published" as const,
      handler: ({ params, meta }: HttpContext) => listCases(parts, analystOf(meta).userId, params.query),
    },
    getCase: {
      visibility: "published" as const,
      async handler({ params, meta }: HttpContext) {
        analystOf(meta);
        const profile = await findProfile(parts, params.params.customerId);
        const audit = await parts.profiles.readAudit(profile._id, SHOWN_AUDIT_ENTRIES);
        return caseDetail(currentState(profile, isoTime(parts.clock)), audit);
      },
    },
    claimCase: step(claimCase),
    releaseCase: step(releaseCase),
    requestChanges: step(requestChanges),
    approveCase: step(approveCase),
    rejectCase: step(rejectCase),
  };
}
