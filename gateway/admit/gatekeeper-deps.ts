/** What those who let callers in are given: the process they are part of, and a way to ask auth-token. */
import type { ActionName } from "../../shared/actions.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";

export type GatekeeperDeps = Pick<Runtime, "config" | "clock" | "logger" | "metrics"> & {
  call: <T>(action: ActionName, params: unknown, meta?: object) => Promise<T>;
};
