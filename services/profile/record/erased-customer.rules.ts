/** An erased customer: ids, states and dates. */
import { createHash } from "node:crypto";
import { AppError, INVALID } from "../../../shared/errors.ts";
import { isExpired } from "../../../shared/idempotency.rules.ts";
import type { Profile } from "./profile.types.ts";

/** Why it was erased: an operator at the partner's request, or the end of its retention. */
export type ErasureCause = { by: string; reason: string };

const REFERENCE = /^(?=.*\d)[A-Za-z0-9][A-Za-z0-9._:#/-]{0,63}$/;

/** Kept with no expiry, so it is a reference and no free text: the tombstone must not repeat what was erased. */
export function readErasureReference(reason: unknown): string {
  if (typeof reason === "string" && REFERENCE.test(reason)) return reason;
  throw new AppError(
    INVALID,
    "The reason must be the reference of the request, such as ticket-4711: at most 64 letters, digits and . _ : # / -, with a digit and without spaces. It is kept after the erasure.",
  );
}

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

/** No values of the customer. Its trail keeps its entries, without their details. */
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

/** A partner that does not exist, so no list and no reference finds it. The true partner may use the reference again. */
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
      ...cause,
    },
  };
}
