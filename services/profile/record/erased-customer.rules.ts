/** An erased customer: ids, states and dates. */
import { createHash } from "node:crypto";
import { isExpired } from "../../../shared/idempotency.rules.ts";
import type { Profile } from "./profile.types.ts";

/** Why it was erased: an operator at the partner's request, or the end of its retention. */
export type ErasureCause = { by: string; reason: string };

export type ErasedCustomer = Pick<
  Profile,
  | "partnerId"
  | "partnerCustomerId"
  | "verificationStatus"
  | "createdAt"
  | "submittedAt"
  | "decidedAt"
  | "history"
> &
  ErasureCause & {
    uboIds: string[];
    erasedAt: string;
    /** Idempotency-Keys that still name the customer's requests. */
    keys?: SpentKey[];
    /** True until the document service has erased the files. */
    isUnfinished?: boolean;
  };

/** Only a hash of the key, because partners choose its text. */
type SpentKey = { name: string; at: string };
export const nameOfKey = (partnerId: string, key: string): string =>
  createHash("sha256")
    .update(JSON.stringify([partnerId, key]))
    .digest("base64url");

/** As it is stored, in the place of the profile. */
export type Tombstone = { _id: string; partnerId: string; partnerCustomerId: string; erased: ErasedCustomer };

/** Without values of the customer. Its trail keeps its entries, without their details. */
const KEPT: ReadonlySet<string> = new Set([
  "_id",
  "partnerId",
  "partnerCustomerId",
  "version",
  "sequence",
  "isTest",
]);

/** All other fields of a customer. Its notes are not read with it. */
export const erasedFields = (profile: Profile): Record<string, ""> =>
  Object.fromEntries(
    [...Object.keys(profile).filter((name) => !KEPT.has(name)), "notes"].map((name) => [name, ""]),
  );

/**
 * A partner that does not exist, so that no list and no reference finds it: the true one may use the reference for another
 * customer, and is kept inside.
 */
export const ERASED_PARTNER = "erased";

export function tombstoneOf(profile: Profile, cause: ErasureCause, at: string): Tombstone {
  const { _id, partnerId, partnerCustomerId, verificationStatus, createdAt, submittedAt, decidedAt } =
    profile;
  const keys = (profile.keptAnswers ?? [])
    .filter((kept) => !isExpired(kept.at, Date.parse(at)))
    .map((kept) => ({ name: nameOfKey(partnerId, kept.key), at: kept.at }));
  return {
    _id,
    partnerId: ERASED_PARTNER,
    partnerCustomerId: _id,
    erased: {
      partnerId,
      partnerCustomerId,
      uboIds: [...profile.people, ...(profile.formerPeople ?? [])].map(({ uboId }) => uboId),
      verificationStatus,
      createdAt,
      submittedAt,
      decidedAt,
      history: profile.history.map(({ status, at: since }) => ({ status, at: since })),
      erasedAt: at,
      ...(keys.length > 0 ? { keys } : {}),
      isUnfinished: true,
      by: cause.by,
      reason: cause.reason,
    },
  };
}
