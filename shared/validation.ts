/** fastest-validator behind one function that reports every violation with a path a caller can follow. */
import FastestValidator, { type ValidationError, type ValidationSchema } from "fastest-validator";
import type { Violation } from "./errors.ts";

export type { ValidationSchema } from "fastest-validator";

const Validator = FastestValidator as unknown as typeof FastestValidator.default;
const validator = new Validator({ haltOnFirstError: false, useNewCustomCheckerFunction: true });

export type Check = (value: unknown) => Violation[];

/** Compiles once; unknown properties are ignored. The value must be a plain object. */
export function compileCheck(schema: ValidationSchema, code: string): Check {
  const check = validator.compile({ $$strict: false, ...schema });
  return (value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      return [{ field: "", code, message: "must be a JSON object" }];
    const result = check(value);
    return result === true ? [] : (result as ValidationError[]).map((error) => toViolation(error, code));
  };
}

function toViolation(error: ValidationError, code: string): Violation {
  return { field: error.field, code, message: error.message ?? "is not valid" };
}
