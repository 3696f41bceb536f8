/** Claims the case that waits longest. Concurrent analysts try the same cases, and each claim is a compare-and-set. */

import { isoTime } from "../../../shared/clock.ts";
import type { CaseSummary } from "../../../shared/contract/answers/case.ts";
import { AppError, errorCode } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { EVERY_CASE } from "./case-filter.rules.ts";
import { type CaseCall, claimCase } from "./review-case.ts";

const LOOKS = 5;
/** More than there are analysts who ask in the same moment. */
const CANDIDATES = 20;

/** Somebody else was faster, or it is gone. */
const TAKEN = new Set(["Case.AlreadyClaimed", "Case.InvalidState", "Customer.Conflict", "Customer.Erased"]);

/** Null when nothing waits. */
export async function claimNextCase(
  deps: Deps,
  call: Omit<CaseCall, "customerId">,
): Promise<CaseSummary | null> {
  const queued = { ...EVERY_CASE, reviewStage: "Queued" } as const;
  const oldest = { order: 1, skip: 0, limit: CANDIDATES } as const;
  for (let look = 0; look < LOOKS; look += 1) {
    const waiting = await deps.cases.list(queued, oldest, isoTime(deps.clock));
    if (waiting.length === 0) return null;
    for (const { _id: customerId } of waiting) {
      const claimed = await claimCase(deps, { ...call, customerId }).catch(unlessTaken);
      if (claimed) return claimed;
    }
  }
  throw new AppError("Case.AlreadyClaimed", "Others took every case that was tried; try again.");
}

function unlessTaken(error: unknown): null {
  if (TAKEN.has(errorCode(error) ?? "")) return null;
  throw error;
}
