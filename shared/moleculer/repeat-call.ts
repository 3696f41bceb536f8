/**
 * Repeats a call that was lost with its instance or a connection, if the action is repeatable. A call that no
 * process took goes to another instance, whatever the action. After an instance that could not serve, another is tried.
 */
import type { Middleware, ServiceBroker } from "moleculer";
import { REPEATABLE_ACTIONS } from "../contract/actions.ts";
import { errorCode, isAppError } from "../errors.ts";
import { retry } from "../retry.ts";
import { NotSent, NotTaken } from "./pending-calls.ts";

/** Counted from the first call; longer than an instance needs to restart. */
const GIVE_UP_MS = 12_000;
const PAUSE_MS = 200;

/** The process with the request is gone: the outcome is unknown. */
const LOST = "REQUEST_REJECTED";
/** Answers of an instance that lacks a server it needs. */
const UNDONE: ReadonlySet<string> = new Set(["Service.Unavailable", "Service.OutcomeUnknown"]);
/** No instance is there to take it; one may come. */
const NOBODY = new Set(["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE", LOST]);

type Options = {
  timeout?: number;
  nodeID?: string;
  /** Set for the caller to read: an earlier try may have done it, whatever a failed one says. */
  wasRepeated?: boolean;
};
type Call = (action: string, params: unknown, options?: Options) => Promise<unknown>;

export function repeatCall(actions: ReadonlySet<string> = REPEATABLE_ACTIONS): Middleware {
  let others: (action: string, nodeID: string) => string | undefined = () => undefined;
  return {
    name: "RepeatCall",
    created(broker: ServiceBroker) {
      others = anotherInstance(broker);
    },
    call(next: Call): Call {
      return (action, params, options = {}) => {
        if (!actions.has(action)) return untilTaken(() => next(action, params, options));
        const startedAt = performance.now();
        return next(action, params, options).catch((failure) => {
          const again = (leftMs: number, nodeID?: string) =>
            next(action, params, {
              ...options,
              timeout: Math.min(options.timeout ?? leftMs, leftMs),
              ...(nodeID ? { nodeID } : {}),
            });
          const leftMs = GIVE_UP_MS - (performance.now() - startedAt);
          const other = failedAt(failure) && others(action, failedAt(failure) as string);
          if (other && leftMs > 0) return onceMore(() => again(leftMs, other), failure, options);
          return untilKnown(again, failure, leftMs, options);
        });
      };
    },
  } as unknown as Middleware;
}

/** The instance that answered that it could not do it, or cannot say whether it did. */
function failedAt(failure: unknown): string | undefined {
  const isOfInstance = isAppError(failure) && UNDONE.has(failure.type) && "nodeID" in failure;
  return isOfInstance ? String(failure.nodeID) : undefined;
}

async function onceMore(ask: () => Promise<unknown>, failure: unknown, options: Options): Promise<unknown> {
  if (errorCode(failure) !== "Service.Unavailable") options.wasRepeated = true;
  try {
    return await ask();
  } catch (error) {
    const wasLost = errorCode(error) === LOST;
    if (wasLost) options.wasRepeated = true;
    throw isNobodyThere(error) && !wasLost ? failure : error;
  }
}

const anotherInstance =
  ({ registry }: ServiceBroker) =>
  (action: string, nodeID: string): string | undefined => {
    const { endpoints = [] } = (registry as unknown as Registry).getActionEndpoints(action) ?? {};
    return endpoints.find(({ id, isAvailable }) => isAvailable && id !== nodeID)?.id;
  };

/** A part of Moleculer's registry that its types do not show. */
type Registry = {
  getActionEndpoints(action: string): { endpoints: { id: string; isAvailable: boolean }[] } | undefined;
};

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
