/** Answers each request of a grouped call. A group in which all fail by a fault of ours fails as a call. */
import type { CallMeta } from "../identity/caller.ts";
import { spanTimes } from "../telemetry/tracer.ts";
import { publicError } from "./action-edge.ts";
import { failIfUseless } from "./group-outcome.ts";
import { type GroupedAnswer, type GroupedRequest, toPlainError } from "./grouped-call.ts";
import type { HttpParams } from "./http-params.ts";
import type { Runtime } from "./runtime.ts";
import type { AnswerMeta } from "./typed-actions.ts";

/** As for a single call, the meta is also where headers and warnings of the answer are set. */
type Answer = (params: HttpParams, meta: CallMeta & AnswerMeta) => Promise<unknown>;

export function createGroupAnswerer(
  { logger, tracer }: Pick<Runtime, "logger" | "tracer">,
  action: string,
  answer: Answer,
): (requests: readonly GroupedRequest[]) => Promise<{ answers: GroupedAnswer[] }> {
  async function one({ params, meta: given }: GroupedRequest): Promise<GroupedAnswer> {
    const startedAt = performance.now();
    const meta: CallMeta & AnswerMeta = tracer.enabled
      ? { ...given, traceparent: tracer.below(given.traceparent) }
      : given;
    let failure: string | undefined;
    try {
      const body = await answer(params, meta);
      const { $responseHeaders: headers = {}, $warnings: warnings } = meta;
      return { status: 200, headers, body, ...(warnings ? { warnings } : {}) };
    } catch (cause) {
      const error = publicError(cause);
      failure = error.type;
      if (error.code >= 500)
        logger.error({ err: cause, action, requestId: meta.requestId, code: error.type }, "action.failed");
      return { status: error.code, headers: {}, body: null, error: toPlainError(error) };
    } finally {
      if (tracer.enabled)
        tracer.record({
          name: action,
          kind: "server",
          traceparent: meta.traceparent,
          parent: given.traceparent,
          ...spanTimes(startedAt, performance.now()),
          attributes: { "rpc.system": "moleculer", "rpc.method": action },
          ...(failure ? { error: failure } : {}),
        });
    }
  }
  return async (requests) => answerEach(requests, one);
}

export async function answerEach(
  requests: readonly GroupedRequest[],
  answer: (request: GroupedRequest) => Promise<GroupedAnswer>,
): Promise<{ answers: GroupedAnswer[] }> {
  const answers = await Promise.all(requests.map(answer));
  failIfUseless(answers);
  return { answers };
}
