/** PUT: replaces the listed fields of a customer. */
import type { CustomerChange } from "../../../shared/contract/answers/customer.ts";
import { INVALID } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { judgeReplace } from "../input/profile-input.rules.ts";
import { refuseUpdate, type Warned } from "../input/violations.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { applyReplace } from "./profile-update.rules.ts";
import { changeAnswer, type UpdateCall, updateOwn } from "./update-own.ts";

/** Removed people stay in the document, and MongoDB stores at most 16 MB in one. */
const MAX_PEOPLE_EVER = 500;

export const replaceProfile = (deps: Deps, call: UpdateCall): Promise<Warned<CustomerChange>> =>
  updateOwn(deps, call, {
    action: "replace",
    judge: (profile, tools, context) => judgeReplace(call.body, profile, context, tools.open),
    apply(profile, input, tools, at) {
      const update = applyReplace(profile, input, tools, at);
      checkPeopleEver(update.next);
      return update;
    },
    detail: ({ changes }) => ({ changedFields: changes.fields }),
    answer: changeAnswer,
  });

function checkPeopleEver({ people }: Profile): void {
  if (people.length <= MAX_PEOPLE_EVER) return;
  const message = `this customer has had ${MAX_PEOPLE_EVER} people; name those who stay by uboId or email`;
  throw refuseUpdate([{ field: "businessPersonList", code: INVALID, message }]);
}
