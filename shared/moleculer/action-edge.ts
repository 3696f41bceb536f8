/** Middleware around every action of this process: metrics, traces, logged failures, and errors safe to show to callers. */
import type { Context, Middleware } from "moleculer";
import { GROUPED_ACTIONS } from "../contract/actions.ts";
import { AppError, isAppError, unavailable } from "../errors.ts";
import type { CallMeta } from "../identity/caller.ts";
import { isDatabaseAway } from "../mongo/database-away.ts";
import { spanTimes } from "../telemetry/tracer.ts";
import { answersOfFailedGroup, resultOfGroup } from "./group-outcome.ts";
import type { GroupedAnswer } from "./grouped-call.ts";
import type { Runtime } from "./runtime.ts";

type Handler = (ctx: Context<unknown, CallMeta>) => Promise<unknown>;

type Deps = Pick<Runtime, "metrics" | "logger" | "tracer">;

export function actionEdge({ metrics, logger, tracer }: Deps): Middleware {
  return {
    name: "ActionEdge",
    localAction(next: Handler, action: { name: string; visibility?: string }) {
      if (action.name.startsWith("$") || action.name === "api.rest") return next;
      const isGrouped = GROUPED_ACTIONS.has(action.name);
      return async function edge(ctx: Context<unknown, CallMeta>): Promise<unknown> {
        const startedAt = performance.now();
        const caller = ctx.meta.traceparent;
        // Calls made and events written by the action are children of its span.
        if (tracer.enabled && caller) ctx.meta.traceparent = tracer.below(caller);
        let result = "ok";
        try {
          refuseLate(ctx.meta);
          const answer = await next(ctx);
          if (isGrouped) result = resultOfGroup((answer as { answers: GroupedAnswer[] }).answers);
          return answer;
        } catch (error) {
          const failure = publicError(error);
          result = failure.type;
          // Each failure of a group has its own line.
          if (failure.code >= 500 && !answersOfFailedGroup(failure))
            logger.error(
              { err: error, action: action.name, requestId: ctx.meta.requestId, code: failure.type },
              "action.failed",
            );
          throw failure;
        } finally {
          const endedAt = performance.now();
          const seconds = (endedAt - startedAt) / 1_000;
          const labels = { action: action.name, result };
          metrics.observe("pbo_action_duration_seconds", seconds, labels, caller);
          if (tracer.enabled && caller) {
            tracer.record({
              name: action.name,
              kind: "server",
              traceparent: ctx.meta.traceparent,
              parent: caller,
              ...spanTimes(startedAt, endedAt),
              attributes: { "rpc.system": "moleculer", "rpc.method": action.name },
              ...(result === "ok" ? {} : { error: result }),
            });
          }
          if (ctx.nodeID !== ctx.broker.nodeID) ctx.meta = answerOnly(ctx.meta);
        }
      };
    },
  } as Middleware;
}

/** After a pause a process may find requests whose callers have their answer already. */
function refuseLate({ endsAt }: CallMeta): void {
  if (endsAt !== undefined && performance.now() > endsAt) throw unavailable("A part of the service");
}

/** Moleculer sends the whole meta back to the caller; only the action's own entries, which begin with $, are needed. */
function answerOnly(meta: CallMeta): CallMeta {
  const kept: Record<string, unknown> = {};
  for (const key in meta) if (key.startsWith("$")) kept[key] = meta[key as keyof CallMeta];
  return kept as CallMeta;
}

/** Errors of other services are passed on unchanged; unknown ones become Service.Error. */
export function publicError(error: unknown): AppError {
  if (isAppError(error)) return error;
  if (isDatabaseAway(error)) return unavailable("The database", error);
  if (isCallFailure(error)) return unavailable("A part of the service", error);
  return new AppError(
    "Service.Error",
    "Something went wrong on our side. Quote the requestId when you ask for help.",
    { cause: error },
  );
}

const CALL_FAILURES = new Set([
  "REQUEST_TIMEOUT",
  "REQUEST_SKIPPED",
  "REQUEST_REJECTED",
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "QUEUE_FULL",
  "MAX_CALL_LEVEL",
]);

const isCallFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "ServiceUnavailableError" || ("type" in error && CALL_FAILURES.has(String(error.type))));
