/** Issues a new secret; deliveries carry the signature of each earlier one until it expires. */
import type { Rotation } from "../../shared/contract/answers/endpoint.ts";
import { SECRET_OVERLAP_HOURS } from "../../shared/contract/durations.ts";
import { AppError } from "../../shared/errors.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { auditedChange, changeWithFact } from "./audited-change.ts";
import type { Deps } from "./deps.ts";
import { MAX_SECRETS, rotate, type StoredSecret } from "./secret.rules.ts";

export async function rotateSecret(deps: Deps, meta: CallMeta, partnerId: string): Promise<Rotation> {
  let webhookSecret = "";
  const { after } = await auditedChange(deps, meta, partnerId, (within) =>
    changeWithFact(within, partnerId, "webhook.secret_rotated", ({ _id, secrets }) => {
      const now = new Date(deps.clock.now());
      const { plain, stored } = deps.vault.create(_id, now);
      webhookSecret = plain;
      const rotated = rotate(secrets, stored, now);
      if (!rotated) throw tooManySecrets(secrets);
      return { secrets: rotated };
    }),
  );
  deps.logger.info({ partnerId, endpointId: after._id }, "endpoint.secret_rotated");
  const previousSecretExpiresAt = after.secrets[1]?.notAfter?.toISOString() ?? "";
  return {
    webhookSecret,
    previousSecretExpiresAt,
    message:
      `Keep the new secret now: it is shown only this once. Until ${previousSecretExpiresAt} deliveries are ` +
      "signed with the secret before it, too; the signature of the new one comes first.",
  };
}

const tooManySecrets = (secrets: readonly StoredSecret[]): AppError => {
  const firstEnd = secrets.at(-1)?.notAfter?.toISOString();
  return new AppError(
    "Webhook.TooManySecrets",
    `${MAX_SECRETS} secrets are in force, each for ${SECRET_OVERLAP_HOURS} hours after it was replaced. Rotate again after ${firstEnd}.`,
  );
};
