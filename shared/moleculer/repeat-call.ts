/**
 * An instance can die after it did what it was asked and before it said so. A call that may be made twice is then
 * made again until its outcome is known; one that was never taken by anybody fails at once, as it always did.
 */
import type { Middleware } from "moleculer";
import { REPEATABLE_ACTIONS } from "../actions.ts";
import { errorCode } from "../errors.ts";

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
        const deadline = Date.now() + GIVE_UP_MS;
        return next(action, params, options).catch((error) => {
          if (!UNKNOWN.has(errorCode(error) ?? "")) throw error;
          const within = (leftMs: number) => ({
            ...options,
            timeout: Math.min(options?.timeout ?? leftMs, leftMs),
          });
          return again((leftMs) => next(action, params, within(leftMs)), deadline, error);
        });
      };
    },
  } as unknown as Middleware;
}

async function again(
  call: (leftMs: number) => Promise<unknown>,
  deadline: number,
  first: unknown,
): Promise<unknown> {
  let last = first;
  for (let leftMs = deadline - Date.now(); leftMs > 0; leftMs = deadline - Date.now()) {
    try {
      return await call(leftMs);
    } catch (error) {
      if (!NOBODY.has(errorCode(error) ?? "")) throw error;
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw last;
}
