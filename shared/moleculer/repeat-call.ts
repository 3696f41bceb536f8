/**
 * Repeats a call that was lost with its instance or with a connection, if the action may be repeated, until the
 * outcome is known. A call that no instance accepted fails immediately.
 */
import type { Middleware } from "moleculer";
import { REPEATABLE_ACTIONS } from "../actions.ts";
import { errorCode, isAppError } from "../errors.ts";
import { retry } from "../retry.ts";
import { NotSent } from "./nats-transporter.ts";

/** Counted from the first call; longer than an instance needs to restart. */
const GIVE_UP_MS = 12_000;
const PAUSE_MS = 200;

/** Whoever had the request is gone: the outcome is unknown. */
const LOST = "REQUEST_REJECTED";
/** No instance is there to take it; one may come. */
const NOBODY = new Set(["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE", LOST]);

type Options = {
  timeout?: number;
  /** Set for the caller to read: an earlier try may have done it, whatever a failed one says. */
  wasRepeated?: boolean;
};
type Call = (action: string, params: unknown, options?: Options) => Promise<unknown>;

export function repeatCall(actions: ReadonlySet<string> = REPEATABLE_ACTIONS): Middleware {
  return {
    name: "RepeatCall",
    call(next: Call): Call {
      return (action, params, options = {}) => {
        if (!actions.has(action)) return next(action, params, options);
        const startedAt = performance.now();
        return next(action, params, options).catch(async (lost) => {
          const withinMs = GIVE_UP_MS - (performance.now() - startedAt);
          if (errorCode(lost) !== LOST || withinMs <= 0) throw lost;
          options.wasRepeated = true;
          const again = (leftMs: number) =>
            next(action, params, { ...options, timeout: Math.min(options.timeout ?? leftMs, leftMs) });
          return retry(again, { firstWaitMs: PAUSE_MS, withinMs, isPassing: isNobodyThere }).catch(
            (error) => {
              throw isAnswer(error) ? error : lost;
            },
          );
        });
      };
    },
  } as unknown as Middleware;
}

const isNobodyThere = (error: unknown): boolean =>
  error instanceof NotSent || NOBODY.has(errorCode(error) ?? "");

/** Says what became of it; every other failure leaves open what the lost call did. */
const isAnswer = (error: unknown): boolean => isAppError(error) && error.code < 500;
