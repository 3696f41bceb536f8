/** Who of a partner's people may use a route of the dashboard. */
import type { Role } from "../../shared/identity/caller.ts";

export const ANYONE: readonly Role[] = ["Owner", "Developer", "Viewer"];
export const CHANGERS: readonly Role[] = ["Owner", "Developer"];
