/** Unknown query parameters are refused by name: a caller believes that each has an effect. */
import { AppError } from "../../shared/errors.ts";
import { nearestName } from "../../shared/input/nearest-name.rules.ts";

/** Callers can invent names. */
const MAX_NAMED = 20;
const MAX_NAME = 100;

export function refuseUnknownNames(
  query: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): void {
  const unknown = Object.keys(query).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const details = unknown.slice(0, MAX_NAMED).map((name) => ({
    field: name.slice(0, MAX_NAME),
    code: "ValidationControl.Error",
    message: textOf(name, known),
    rule: "Query.Unknown",
  }));
  const names = details.map(({ field }) => field).join(", ");
  throw new AppError(
    "ValidationControl.Error",
    `Unknown query parameters: ${names}. Correct or remove them.`,
    {
      details,
    },
  );
}

function textOf(name: string, known: ReadonlySet<string>): string {
  const nearest = nearestName(name, known);
  return `is not a query parameter of this address${nearest ? `; did you mean ${nearest}?` : ""}`;
}
