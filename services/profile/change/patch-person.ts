/** PATCH of one person: corrects the named fields, without the numbers being sent again. */
import type { PersonChange } from "../../../shared/contract/answers/customer.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { judgePerson } from "../input/person-input.rules.ts";
import type { Warned } from "../input/violations.rules.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import { applyPerson } from "./profile-update.rules.ts";
import { changeAnswer, type UpdateCall, updateOwn } from "./update-own.ts";

export function patchPerson(deps: Deps, call: UpdateCall & { uboId: string }): Promise<Warned<PersonChange>> {
  const { uboId, body } = call;
  return updateOwn(deps, call, {
    action: "person",
    judge: (profile, tools, context) =>
      judgePerson(body, profile, tools.open(personOf(profile, uboId)), context),
    apply: (profile, input, tools) => applyPerson(profile, personOf(profile, uboId), input, tools),
    detail: ({ changes }) => ({ uboId, changedFields: changes.people.get(uboId) ?? [] }),
    answer: (stored, changes) => ({
      ...changeAnswer(stored),
      uboId,
      changedFields: changes.people.get(uboId) ?? [],
    }),
  });
}

function personOf({ people }: Profile, uboId: string): Person {
  const person = livePeople(people).find((each) => each.uboId === uboId);
  if (!person) throw new AppError("Ubo.NotFound", "This customer has no such person.", {}, 404);
  return person;
}
