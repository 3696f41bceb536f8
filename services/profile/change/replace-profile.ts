/** PUT: replaces the listed fields of a customer. */
import type { CustomerChange } from "../../../shared/contract/answers/customer.ts";
import type { Deps } from "../deps.ts";
import { judgeReplace } from "../input/profile-input.rules.ts";
import { refuseUpdate } from "../input/violations.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { finishUpdate } from "./finish-update.rules.ts";
import { peopleTools } from "./people-tools.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { applyReplace } from "./profile-update.rules.ts";
import { checkLock, checkVersion } from "./update-guards.ts";
import { type UpdateCall, updateOwn } from "./update-own.ts";
import type { Warned } from "./warned.ts";

/** Removed people stay in the document, and MongoDB holds at most 16 MB in one. */
const MAX_PEOPLE_EVER = 500;

export function replaceProfile(deps: Deps, call: UpdateCall): Promise<Warned<CustomerChange>> {
  return updateOwn(deps, call, (profile, at, context) => {
    const tools = peopleTools(deps, profile, at);
    const { input, violations, warnings } = judgeReplace(call.body, profile, context, tools.open);
    if (!input) throw refuseUpdate(violations);
    checkVersion(call.ifMatch, profile);
    checkLock(profile);
    const update = applyReplace(profile, input, tools, at);
    checkPeopleEver(update.next);
    const after = finishUpdate(profile, update, "replace", at);
    return {
      after,
      facts: after ? updatedFacts(profile, after, update.changes, []) : [],
      action: "replace",
      detail: { changedFields: update.changes.fields },
      answer: (stored) => ({ value: answerOf(stored), warnings }),
    };
  });
}

function checkPeopleEver({ people }: Profile): void {
  if (people.length <= MAX_PEOPLE_EVER) return;
  const message = `this customer has had ${MAX_PEOPLE_EVER} people; name those who stay by uboId or email`;
  throw refuseUpdate([{ field: "businessPersonList", code: "ValidationControl.Error", message }]);
}

const answerOf = ({ _id, partnerCustomerId, verificationStatus, version }: Profile): CustomerChange => ({
  customerId: _id,
  partnerCustomerId,
  verificationStatus,
  version,
});
