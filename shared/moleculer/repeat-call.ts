/**
 * Repeats a call that was lost with its instance or with a connection, if the action may be repeated, until the
 * outcome is known. A call that its instance never took goes to another one at once, whatever the action; one that no
 * instance was there for fails immediately.
 */
import type { Middleware } from "moleculer";
import { REPEATABLE_ACTIONS } from "../actions.ts";
import { errorCode, isAppError } from "../errors.ts";
import { retry } from "../retry.ts";
import { NotSent, NotTaken } from "./nats-transporter.ts";

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
        if (!actions.has(action)) return untilTaken(() => next(action, params, options));
        const startedAt = performance.now();
        return next(action, params, options).catch((failure) => {
          const again = (leftMs: number) =>
            next(action, params, { ...options, timeout: Math.min(options.timeout ?? leftMs, leftMs) });
          return untilKnown(again, failure, GIVE_UP_MS - (performance.now() - startedAt), options);
        });
      };
    },
  } as unknown as Middleware;
}

/** Each instance that is found gone is not chosen again, so this ends. */
const untilTaken = (ask: () => Promise<unknown>): Promise<unknown> =>
  ask().catch((failure) => {
    if (failure instanceof NotTaken) return untilTaken(ask);
    throw failure;
  });

async function untilKnown(
  again: (leftMs: number) => Promise<unknown>,
  failure: unknown,
  withinMs: number,
  options: Options,
): Promise<unknown> {
  let lost: unknown;
  const noteLost = (error: unknown): void => {
    if (errorCode(error) !== LOST) return;
    lost ??= error;
    options.wasRepeated = true;
  };
  noteLost(failure);
  if (!(lost || failure instanceof NotTaken) || withinMs <= 0) throw failure;
  const isPassing = (error: unknown): boolean => {
    noteLost(error);
    return isNobodyThere(error);
  };
  return retry(again, { firstWaitMs: PAUSE_MS, withinMs, isPassing }).catch((error) => {
    throw isAnswer(error) ? error : (lost ?? error);
  });
}

const isNobodyThere = (error: unknown): boolean =>
  error instanceof NotSent || NOBODY.has(errorCode(error) ?? "");

/** Says what became of it; every other failure leaves open what the lost call did. */
const isAnswer = (error: unknown): boolean => isAppError(error) && error.code < 500;
