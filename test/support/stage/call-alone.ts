/** What the gateway sends in groups, as a group of one; the meta gets what comes with the answer, as that of any call. */
import type { ServiceBroker } from "moleculer";
import { fromPlainError, type GroupedAnswer } from "../../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";

export async function callAlone<T>(
  edge: ServiceBroker,
  action: string,
  params: HttpParams,
  meta: Record<string, unknown>,
): Promise<T> {
  const group = { requests: [{ params, meta }] };
  const { answers } = await edge.call<{ answers: GroupedAnswer[] }, object>(action, group);
  const [answer] = answers;
  if (!answer || answer.error) throw answer?.error ? fromPlainError(answer.error) : new Error("no answer");
  const { body, headers, warnings } = answer;
  if (Object.keys(headers).length > 0) meta.$responseHeaders = headers;
  meta.$warnings = warnings;
  return body as T;
}
