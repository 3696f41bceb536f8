/** Every kind of caller that an action does not admit: no caller, too small a role, another kind, a missing scope. */
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import type { ActionRow, Admitted } from "../../../shared/contract/actions/action.ts";
import { ACTIONS } from "../../../shared/contract/actions.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import { accessRefusal } from "../../../shared/moleculer/action-access.rules.ts";

const partnerId = "01980000-0000-7000-8000-000000000001";
const person = { kind: "user", userId: "u", email: "u@partner.test", partnerId } as const;
const machine = { kind: "partner", partnerId, clientId: "client" } as const;

const CALLERS: readonly (Caller | null)[] = [
  null,
  { ...person, role: "Owner" },
  { ...person, role: "Developer" },
  { ...person, role: "Viewer" },
  // No person of a partner has this role.
  { ...person, role: "Analyst" },
  { kind: "analyst", userId: "a", email: "a@operator.test" },
  { ...machine, scopes: [] },
  { ...machine, scopes: ["partner.read"] },
  { ...machine, scopes: ["partner.write"] },
];

export const callersRefusedBy = (row: Admitted): readonly (Caller | null)[] =>
  CALLERS.filter((caller) => accessRefusal(row, caller) !== null);

/** Each action that the gateway may call, with the callers that it admits. */
export const ADMITTED: readonly (readonly [action: string, Admitted])[] = SERVICE_NAMES.flatMap((service) =>
  Object.entries<ActionRow>(ACTIONS[service])
    .filter(([, { processes }]) => processes.includes("gateway"))
    .map(([name, { admitted }]) => [`${service}.${name}`, admitted] as const),
);
