/** JSON Merge Patch (RFC 7396) for optional scalars: null clears them, and is refused for every other field. */

import type { ValidationSchema } from "fastest-validator";
import type { Violation } from "../../../shared/errors.ts";
import type { Raw } from "../../../shared/is-record.ts";

/** The schema marks the fields that null clears. */
export function compileNulls(
  schema: ValidationSchema,
  codeOf: (field: string) => string,
): (body: Raw) => Violation[] {
  const kept = Object.entries(schema as Record<string, { nullable?: boolean }>)
    .filter(([, rule]) => rule.nullable !== true)
    .map(([field]) => field);
  return (body) =>
    kept
      .filter((field) => body[field] === null)
      .map((field) => ({ field, code: codeOf(field), message: "cannot be null" }));
}
