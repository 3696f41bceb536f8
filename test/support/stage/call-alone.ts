/** A group of one, as the gateway sends groups; the meta gets the headers and warnings of the answer, as with any call. */
import type { ServiceBroker } from "moleculer";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { callGroup } from "../../../shared/moleculer/group-outcome.ts";
import { fromPlainError } from "../../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";

export async function callAlone<T>(
  edge: ServiceBroker,
  action: string,
  params: HttpParams,
  meta: Record<string, unknown>,
): Promise<T> {
  const requests = [{ params, meta: meta as unknown as CallMeta }];
  const [answer] = await callGroup(edge, action, requests);
  if (!answer || answer.error) throw answer?.error ? fromPlainError(answer.error) : new Error("no answer");
  const { body, headers, warnings } = answer;
  if (Object.keys(headers).length > 0) meta.$responseHeaders = headers;
  meta.$warnings = warnings;
  return body as T;
}
