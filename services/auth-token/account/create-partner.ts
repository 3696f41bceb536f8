/** Creates an active partner; its onboarding waits for approval unless it is created approved. */
import { AppError } from "../../../shared/errors.ts";
import { randomId } from "../../../shared/ids.ts";
import { isDuplicateKey } from "../../../shared/mongo/mongo.ts";
import type { Deps } from "../deps.ts";
import { clientIdFor } from "./client-id.rules.ts";
import type { Partner } from "./partner.model.ts";

const NAME_LENGTH = { min: 2, max: 255 };

export async function createPartner(
  { clock, partners }: Deps,
  input: { name?: unknown; approved?: unknown },
  testOf?: string,
): Promise<Partner> {
  const name = typeof input.name === "string" ? input.name.trim() : "";
  if (name.length < NAME_LENGTH.min || name.length > NAME_LENGTH.max)
    throw new AppError("ValidationControl.Error", "The name must have 2 to 255 characters.");
  for (;;) {
    // Random, not ordered: the client id shows its first digits, which must differ between partners.
    const partnerId = randomId();
    const partner: Partner = {
      _id: partnerId,
      name,
      clientId: clientIdFor(name, partnerId),
      active: true,
      onboardingApproved: input.approved === true,
      createdAt: new Date(clock.now()),
      deactivatedAt: null,
      ...(testOf ? { testOf } : {}),
    };
    try {
      await partners.insert(partner);
      return partner;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another call created the twin meanwhile.
      const twin = testOf && (await partners.findSandboxOf(testOf));
      if (twin) return twin;
    }
  }
}
