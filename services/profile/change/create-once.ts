/** A create with an Idempotency-Key: whatever would refuse it now, the first answer to its key counts. */
import type { CreatedCustomer } from "../../../shared/contract/answers/customer.ts";
import { isAppError } from "../../../shared/errors.ts";
import { fingerprintOf, keyUnderWay } from "../../../shared/idempotency.rules.ts";
import { type CreateCall, type CreateDeps, createProfile, KeyInUse } from "./create-profile.ts";
import { firstAnswer } from "./kept-answer.ts";
import type { Warned } from "./warned.ts";

type Keyed = Omit<CreateCall, "keyed"> & { idempotencyKey: string | null };

/** The key is looked for only when something refuses, so that the usual create is one write and no read. */
export async function createOnce(
  deps: CreateDeps,
  { idempotencyKey: key, ...call }: Keyed,
): Promise<Warned<CreatedCustomer>> {
  if (key === null) return createProfile(deps, { ...call, keyed: null });
  const keyed = { key, fingerprint: fingerprintOf("profile.create", call.body) };
  const create = () => createProfile(deps, { ...call, keyed });
  try {
    return await create();
  } catch (refusal) {
    if (!isRefusal(refusal)) throw refusal;
    const answer = await firstAnswer<CreatedCustomer>(deps, call.partnerId, keyed);
    if (answer) return asOwn(answer, call.callId);
    if (!(refusal instanceof KeyInUse)) throw refusal;
    // The key is free by now, or its first request is not on a majority yet.
    return create().catch((error) => {
      throw error instanceof KeyInUse ? keyUnderWay() : error;
    });
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof KeyInUse || (isAppError(error) && error.code < 500);

/** A call that was repeated between our processes finds its own customer: for the caller it is the first answer. */
const asOwn = (answer: Warned<CreatedCustomer>, callId: string | null): Warned<CreatedCustomer> =>
  answer.value.customerId === callId ? { ...answer, isReplay: false } : answer;
