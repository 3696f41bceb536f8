/**
 * An instance can die after it did what it was asked and before it said so. A call that may be made twice is then
 * made again until its outcome is known; one that was never taken by anybody fails at once, as it always did.
 */
import type { Middleware } from "moleculer";
import { REPEATABLE_ACTIONS } from "./actions.ts";
import { errorCode } from "./errors.ts";

/** Longer than an instance needs to start again; the caller's own deadline may end it sooner. */
const GIVE_UP_MS = 12_000;
const PAUSE_MS = 200;

/** The request was on its way to an instance that is gone. */
const UNKNOWN = new Set(["REQUEST_REJECTED"]);
/** Nobody is there to take it; another instance may come. */
const NOBODY = new Set(["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE", "REQUEST_REJECTED"]);

type Call = (action: string, params: unknown, options?: object) => Promise<unknown>;

export function repeatCall(actions: ReadonlySet<string> = REPEATABLE_ACTIONS): Middleware {
  return {
    name: "RepeatCall",
    call(next: Call): Call {
      return (action, params, options) => {
        const first = next(action, params, options);
        if (!actions.has(action)) return first;
        return first.catch((error) => {
          if (!UNKNOWN.has(errorCode(error) ?? "")) throw error;
          return again(() => next(action, params, options), Date.now() + GIVE_UP_MS);
        });
      };
    },
  } as unknown as Middleware;
}

async function again(call: () => Promise<unknown>, deadline: number): Promise<unknown> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!NOBODY.has(errorCode(error) ?? "") || Date.now() + PAUSE_MS > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
