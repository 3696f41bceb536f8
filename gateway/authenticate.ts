/** Lets callers in, or tells them why not. Deny by default: what is not known is refused. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ActionName } from "../shared/actions.ts";
import type { Caller } from "../shared/caller.ts";
import { AppError } from "../shared/errors.ts";
import type { Runtime } from "../shared/runtime.ts";
import type { Route } from "./route.ts";

export type Gatekeeper = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves the caller for the route's auth kind or throws an AppError. */
  authenticate(route: Route, request: IncomingMessage): Promise<Caller | null>;
  /** Counts the request against its budget; sets RateLimit headers; throws Request.RateLimited. */
  limit(
    route: Route,
    caller: Caller | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void>;
};

export type GatekeeperDeps = Pick<Runtime, "config" | "clock" | "logger" | "metrics"> & {
  call: <T>(action: ActionName, params: unknown, meta?: object) => Promise<T>;
};

export function createGatekeeper(_deps: GatekeeperDeps): Gatekeeper {
  return {
    start: async () => undefined,
    stop: async () => undefined,
    async authenticate(route) {
      if (route.auth === "none") return null;
      throw new AppError("Partner.NotAuthenticated", "Sign in or send an access token.", {
        headers: { "WWW-Authenticate": "Bearer" },
      });
    },
    limit: async () => undefined,
  };
}
