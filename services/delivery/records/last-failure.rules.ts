/** Why the last attempt of a delivery failed, as one word: so one index finds deliveries by the kind and by the answer. */
import {
  FAILURE_KINDS,
  type FailureKind,
  RESPONSE_CLASSES,
  type ResponseClass,
} from "../../../shared/contract/vocabularies.ts";

/** Such as "HttpStatus 5xx" or "Timeout none". */
export const failureWord = (kind: FailureKind, statusCode: number | null): string =>
  `${kind} ${classOf(statusCode)}`;

export const kindOfFailure = (word: string): FailureKind | null =>
  FAILURE_KINDS.find((kind) => word.startsWith(`${kind} `)) ?? null;

/** Every word that fits; null fits all. */
export const failureWords = (kind: FailureKind | null, answer: ResponseClass | null): string[] =>
  FAILURE_KINDS.filter((each) => kind === null || each === kind).flatMap((each) =>
    RESPONSE_CLASSES.filter((one) => answer === null || one === answer).map((one) => `${each} ${one}`),
  );

function classOf(statusCode: number | null): ResponseClass {
  if (statusCode === null) return "none";
  if (statusCode >= 500) return "5xx";
  if (statusCode >= 400) return "4xx";
  return statusCode >= 300 ? "3xx" : "2xx";
}
