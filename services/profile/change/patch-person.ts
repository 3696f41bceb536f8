/** PATCH of one person: corrects what is named, without the numbers being sent again. */
import type { PersonChange } from "../../../shared/contract/answers/customer.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { judgePerson } from "../input/person-input.rules.ts";
import { refuseUpdate } from "../input/violations.rules.ts";
import { livePeople } from "../record/live-people.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { finishUpdate } from "./finish-update.rules.ts";
import { peopleTools } from "./people-tools.ts";
import { updatedFacts } from "./profile-events.rules.ts";
import { applyPerson } from "./profile-update.rules.ts";
import { checkLock, checkVersion } from "./update-guards.ts";
import { type UpdateCall, updateOwn } from "./update-own.ts";
import type { Warned } from "./warned.ts";

type PersonCall = UpdateCall & { uboId: string };

export function patchPerson(deps: Deps, call: PersonCall): Promise<Warned<PersonChange>> {
  const { uboId } = call;
  return updateOwn(deps, call, (profile, at, context) => {
    const tools = peopleTools(deps, profile, at);
    const person = livePeople(profile.people).find((one) => one.uboId === uboId);
    if (!person) throw notFound();
    const { input, violations, warnings } = judgePerson(call.body, profile, tools.open(person), context);
    if (!input) throw refuseUpdate(violations);
    checkVersion(call.ifMatch, profile);
    checkLock(profile);
    const update = applyPerson(profile, person, input, tools);
    const after = finishUpdate(profile, update, "patch", at);
    const changedFields = update.changes.people.get(uboId) ?? [];
    return {
      after,
      facts: after ? updatedFacts(profile, after, update.changes, []) : [],
      action: "person",
      detail: { uboId, changedFields },
      answer: (stored) => ({ value: { ...answerOf(stored), uboId, changedFields }, warnings }),
    };
  });
}

const notFound = () => new AppError("Ubo.NotFound", "This customer has no such person.", {}, 404);

const answerOf = ({ _id, partnerCustomerId, verificationStatus, version }: Profile) => ({
  customerId: _id,
  partnerCustomerId,
  verificationStatus,
  version,
});
