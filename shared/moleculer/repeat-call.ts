/**
 * Repeats a call whose instance died before it answered, if the action may be repeated, until the outcome is known.
 * A call that no instance accepted fails immediately.
 */
import type { Middleware } from "moleculer";
import { REPEATABLE_ACTIONS } from "../actions.ts";
import { errorCode } from "../errors.ts";
import { retry } from "../retry.ts";

/** Counted from the first call; longer than an instance needs to restart. */
const GIVE_UP_MS = 12_000;
const PAUSE_MS = 200;

/** The instance that had the request is gone: the outcome is unknown. */
const UNKNOWN = new Set(["REQUEST_REJECTED"]);
/** No instance is there to take it; one may come. */
const NOBODY = new Set(["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE", "REQUEST_REJECTED"]);

type Options = { timeout?: number };
type Call = (action: string, params: unknown, options?: Options) => Promise<unknown>;

export function repeatCall(actions: ReadonlySet<string> = REPEATABLE_ACTIONS): Middleware {
  return {
    name: "RepeatCall",
    call(next: Call): Call {
      return (action, params, options) => {
        if (!actions.has(action)) return next(action, params, options);
        const startedAt = performance.now();
        return next(action, params, options).catch((error) => {
          const withinMs = GIVE_UP_MS - (performance.now() - startedAt);
          if (!UNKNOWN.has(errorCode(error) ?? "") || withinMs <= 0) throw error;
          const again = (leftMs: number) =>
            next(action, params, { ...options, timeout: Math.min(options?.timeout ?? leftMs, leftMs) });
          return retry(again, { firstWaitMs: PAUSE_MS, withinMs, isPassing: isNobodyThere });
        });
      };
    },
  } as unknown as Middleware;
}

const isNobodyThere = (error: unknown): boolean => NOBODY.has(errorCode(error) ?? "");
