/**
 * An instance can die after it did what it was asked and before it said so. A call that may be made twice is then
 * made again until its outcome is known; one that was never taken by anybody fails at once, as it always did.
 */
import type { Middleware } from "moleculer";
import { REPEATABLE_ACTIONS } from "../actions.ts";
import { errorCode } from "../errors.ts";
import { retry } from "../retry.ts";

/** From the first call on. Longer than an instance needs to start again. */
const GIVE_UP_MS = 12_000;
const PAUSE_MS = 200;

/** The request was on its way to an instance that is gone. */
const UNKNOWN = new Set(["REQUEST_REJECTED"]);
/** Nobody is there to take it; another instance may come. */
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
