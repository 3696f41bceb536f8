/** PUT: replaces the listed fields of a customer. */
import type { Violation } from "../../shared/errors.ts";
import { changeProfile } from "./change-profile.ts";
import { findOwnProfile } from "./get-profile.ts";
import type { CallOrigin } from "./origin.ts";
import type { Parts } from "./parts.ts";
import { peopleTools } from "./people-tools.ts";
import type { Profile } from "./profile.types.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { judgeReplace, type ReplaceInput } from "./profile-input.rules.ts";
import { applyReplace, livePeople } from "./profile-update.rules.ts";
import { settleUpdate } from "./settle-update.rules.ts";
import { dayOf } from "./text.rules.ts";
import { checkLock, checkVersion, referenceViolations } from "./update-guards.ts";
import { refuse } from "./violations.rules.ts";

export type UpdateCall = {
  partnerId: string;
  customerId: string;
  body: unknown;
  ifMatch: string | null;
  origin: CallOrigin;
};

/** Removed people stay in the document; without an end to them it would outgrow what the database can hold. */
const MOST_PEOPLE_EVER = 500;

export function replaceProfile(deps: Parts, call: UpdateCall) {
  const context = { countries: deps.countries.directory(), today: dayOf(deps.clock.now()) };
  return changeProfile(deps, {
    customerId: call.customerId,
    origin: call.origin,
    read: () => findOwnProfile(deps, call.partnerId, call.customerId),
    decide(profile, at) {
      const { input, violations } = judgeReplace(call.body, call.customerId, context);
      const all = input
        ? [...referenceViolations(input.partnerCustomerId, profile), ...uboViolations(input, profile)]
        : violations;
      if (!input || all.length > 0) throw refuse(all);
      checkVersion(call.ifMatch, profile);
      checkLock(profile);
      const update = applyReplace(profile, input, peopleTools(deps, profile, at), at);
      checkPeopleEver(update.next);
      const after = settleUpdate(profile, update, "replace", at);
      return {
        after,
        facts: after ? updatedFacts(profile, after, update.changes, []) : [],
        action: "replace",
        detail: { changedFields: update.changes.fields },
        answer: answerOf,
      };
    },
  });
}

function uboViolations({ people = [] }: ReplaceInput, profile: Profile): Violation[] {
  const known = new Set(livePeople(profile.people).map(({ uboId }) => uboId));
  const seen = new Set<string>();
  const found: Violation[] = [];
  for (const [index, { uboId }] of people.entries()) {
    if (uboId === null) continue;
    const field = `businessPersonList[${index}].uboId`;
    if (!known.has(uboId))
      found.push({ field, code: "Ubo.NotFound", message: "is not a person of this customer" });
    else if (seen.has(uboId)) found.push({ field, code: "ValidationControl.Error", message: "stands twice" });
    seen.add(uboId);
  }
  return found;
}

function checkPeopleEver({ people }: Profile): void {
  if (people.length <= MOST_PEOPLE_EVER) return;
  const message = `this customer has had ${MOST_PEOPLE_EVER} people; name those who stay by uboId or email`;
  throw refuse([{ field: "businessPersonList", code: "ValidationControl.Error", message }]);
}

const answerOf = ({ _id, partnerCustomerId, verificationStatus, version }: Profile) => ({
  customerId: _id,
  partnerCustomerId,
  verificationStatus,
  version,
});
