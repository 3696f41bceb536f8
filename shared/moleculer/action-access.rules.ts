/**
 * Permitted callers of each action behind the gateway: kinds, roles and scopes. The service that acts compares
 * the caller with the row of its action, so one wrong route opens nothing.
 */
import type { Admitted } from "../contract/actions/action.ts";
import { actionRow } from "../contract/actions.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";

/** Admits no caller to a name that is no action. */
export const accessOf = (action: string): Admitted => actionRow(action)?.admitted ?? {};

/** Refusal of the caller, or null when the action admits it. */
export function accessRefusal(
  { client, people, analysts, anyone }: Admitted,
  caller: Caller | null,
): AppError | null {
  if (anyone || (analysts && caller?.kind === "analyst")) return null;
  if (people && caller?.kind === "user")
    return people.includes(caller.role)
      ? null
      : new AppError(
          "Partner.InsufficientRole",
          `This needs the role ${people.join(" or ")}. Yours is ${caller.role}.`,
        );
  if (client && caller?.kind === "partner")
    return caller.scopes.includes(client)
      ? null
      : new AppError(
          "Partner.InsufficientScope",
          `The access token lacks the scope ${client}. Request a token with this scope.`,
        );
  return new AppError(
    "Partner.NotAuthenticated",
    "This operation is for another kind of caller. Check the address.",
  );
}
