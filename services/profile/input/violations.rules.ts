/** Refusals of a body: which of several violations names the error. */
import type { ErrorCode } from "../../../shared/contract/error-codes.ts";
import { AppError, INVALID, type Violation } from "../../../shared/errors.ts";

/** Steps of the check; the first with a violation gives the code. */
const RANK: Readonly<Record<string, number>> = {
  "Partner.BusinessProfileIdMismatch": 0,
  Validation: 1,
  "Customer.PartnerCustomerIdRequired": 2,
  "Customer.PartnerCustomerIdInvalid": 2,
  "PhoneNumber.Invalid": 3,
  [INVALID]: 4,
  "Country.NotFound": 5,
  "BusinessType.NotFound": 5,
  "OnboardingConfig.NotFound": 5,
  "Ubo.NotFound": 5,
};
const LAST_RANK = 9;

/** The value of a use case with its warnings, and whether an earlier request with the same key produced it. */
export type Warned<T> = { value: T; warnings: readonly Violation[]; isReplay?: boolean };

/** Enough to repair a body at the first try; a hostile body must not become a huge answer. */
const MAX_DETAILS = 500;

const rank = ({ code }: Violation): number => RANK[code] ?? LAST_RANK;

/** `shapeCode` is the code of a fault of the shape. */
export function refuse(violations: readonly Violation[], shapeCode = "Validation"): AppError {
  const details = violations
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_DETAILS)
    .map((one) => (one.code === "Validation" ? { ...one, code: shapeCode } : one));
  const [first] = details;
  if (!first) throw new Error("There is no violation to refuse for.");
  const message = first.field ? `${first.field}: ${first.message}` : first.message;
  return new AppError(first.code as ErrorCode, message, { details });
}

/** PUT and PATCH are judged like create, but a fault of the shape has another code there. */
export const refuseUpdate = (violations: readonly Violation[]): AppError => refuse(violations, INVALID);
