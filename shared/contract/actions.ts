/**
 * Every action between processes (actions/): which service offers it, which processes and callers may call it, its
 * request and its answer. A service that offers a different set does not start, one that is called by another process
 * or for another caller than the row names refuses, and NATS permissions are derived from it.
 */
import type { ProcessName, ServiceName } from "../config/config.ts";
import type { ActionRow } from "./actions/action.ts";
import { authTokenActions } from "./actions/auth-token.ts";
import { deliveryActions } from "./actions/delivery.ts";
import { documentActions } from "./actions/document.ts";
import { profileActions } from "./actions/profile.ts";
import { webhookRegistryActions } from "./actions/webhook-registry.ts";

export const ACTIONS = {
  "auth-token": authTokenActions,
  profile: profileActions,
  document: documentActions,
  "webhook-registry": webhookRegistryActions,
  delivery: deliveryActions,
} satisfies Record<ServiceName, Record<string, ActionRow>>;

/** Request and answer of each action. */
export type ActionTypes = {
  [S in ServiceName]: {
    [A in keyof Table[S] & string]: Table[S][A] extends ActionRow<ProcessName, infer Request, infer Answer>
      ? { request: Request; answer: Answer }
      : never;
  };
};
type Table = typeof ACTIONS;

export type ActionName = { [S in ServiceName]: `${S}.${keyof Table[S] & string}` }[ServiceName];

/** The actions that a process may call. */
export type CallableBy<P extends ProcessName> = {
  [S in ServiceName]: {
    [A in keyof Table[S] & string]: Table[S][A] extends { processes: readonly (infer Q)[] }
      ? P extends Q
        ? `${S}.${A}`
        : never
      : never;
  }[keyof Table[S] & string];
}[ServiceName];

type TypesOf<N extends ActionName> = N extends `${infer S extends ServiceName}.${infer A}`
  ? A extends keyof ActionTypes[S]
    ? ActionTypes[S][A]
    : never
  : never;

export type RequestOf<N extends ActionName> = TypesOf<N> extends { request: infer Request } ? Request : never;
export type AnswerOf<N extends ActionName> = TypesOf<N> extends { answer: infer Answer } ? Answer : never;

const ROWS: ReadonlyMap<string, ActionRow> = new Map(
  Object.entries(ACTIONS).flatMap(([service, rows]) =>
    Object.entries<ActionRow>(rows).map(([name, row]) => [`${service}.${name}`, row] as const),
  ),
);

/** Undefined for a name that is no action. */
export const actionRow = (name: string): ActionRow | undefined => ROWS.get(name);

export const GROUPED_ACTIONS: ReadonlySet<string> = new Set(
  [...ROWS].filter(([, row]) => row.isGrouped).map(([name]) => name),
);

/** Repeated when the instance that took the call died: reads, and writes that are idempotent. */
export const REPEATABLE_ACTIONS: ReadonlySet<string> = new Set<ActionName>([
  "profile.create",
  "profile.list",
  "profile.get",
  "profile.getByReference",
  "profile.verificationStatus",
  "profile.identityRequirements",
  "profile.countries",
  "profile.businessTypes",
  "document.createUploadLink",
  "delivery.listEvents",
]);

export const mayCall = (process: string, action: string): boolean =>
  actionRow(action)?.processes.some((each) => each === process) ?? false;

/** How the actions a service offers differ from the table; empty when they match. */
export function actionProblems(service: ServiceName, offered: readonly string[]): string[] {
  const declared = Object.keys(ACTIONS[service]);
  return [
    ...declared.filter((name) => !offered.includes(name)).map((name) => `${service}.${name} is not offered`),
    ...offered.filter((name) => !declared.includes(name)).map((name) => `${service}.${name} is not declared`),
  ];
}
