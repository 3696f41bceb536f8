/** Which calls are grouped, how such a call ends as a whole, and how its caller gets the answers back. */
import type { CallingOptions } from "moleculer";
import { GROUPED_ACTIONS } from "../contract/actions.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import { AppError, isAppError } from "../errors.ts";
import { isRecord } from "../is-record.ts";
import type { GroupedAnswer, GroupedRequest, GroupedRequests } from "./grouped-call.ts";

/** The action decides, not a field of its request: any other action may have a list of that name. */
export const isGroup = (action: string, params: unknown): params is GroupedRequests =>
  GROUPED_ACTIONS.has(action) && isRecord(params) && Array.isArray(params.requests);

/** How a group ended, for metrics: as its worst answer did. */
export function resultOfGroup(answers: readonly GroupedAnswer[]): string {
  const [worst] = answers.toSorted((a, b) => severity(b) - severity(a));
  if (!worst || worst.status < 400) return "ok";
  return worst.status < 500 ? (worst.error?.type ?? "refused") : failureOf(worst);
}

/** A group without a useful answer fails as a call, seen by circuit breaker and repeat-call. The error has the answers. */
export function failIfUseless(answers: readonly GroupedAnswer[]): void {
  if (answers.length === 0 || answers.some(({ status }) => status < 500)) return;
  const type = resultOfGroup(answers) as ErrorCode;
  const error = new AppError(type, "No request of the group was answered.");
  throw Object.assign(error, { data: { answers } });
}

/** Undefined where the failure is not that of a whole group. */
export function answersOfFailedGroup(failure: unknown): GroupedAnswer[] | undefined {
  const data: unknown = isAppError(failure) ? failure.data : undefined;
  return isRecord(data) && Array.isArray(data.answers) ? data.answers : undefined;
}

type CanCall = { call(action: string, params: object, options?: CallingOptions): Promise<unknown> };

export async function callGroup(
  broker: CanCall,
  action: string,
  requests: readonly GroupedRequest[],
  options?: CallingOptions,
): Promise<GroupedAnswer[]> {
  try {
    const { answers } = (await broker.call(action, { requests }, options)) as { answers: GroupedAnswer[] };
    return answers;
  } catch (failure) {
    const answers = answersOfFailedGroup(failure);
    if (!answers) throw failure;
    return answers;
  }
}

/** An answer of the token endpoint has its error in the body, in the words of OAuth. */
const failureOf = ({ status, error }: GroupedAnswer): ErrorCode =>
  error?.type ?? (status === 503 ? "Service.Unavailable" : "Service.Error");

/** Unavailable says that nothing was changed, so it is the mildest failure of ours. */
function severity(answer: GroupedAnswer): number {
  if (answer.status < 500) return answer.status < 400 ? 0 : 1;
  if (failureOf(answer) === "Service.Unavailable") return 2;
  return answer.status === 503 ? 3 : 4;
}
