/** Dependencies of the gatekeeper: parts of the process, and a way to call auth-token. */
import type { ActionName } from "../../shared/contract/actions.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";

export type GatekeeperDeps = Pick<Runtime, "config" | "clock" | "logger" | "metrics"> & {
  call: <T>(action: ActionName, params: unknown, meta?: object) => Promise<T>;
};
