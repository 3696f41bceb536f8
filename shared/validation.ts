/** fastest-validator behind one function that reports every violation with a path a caller can follow. */
import FastestValidator, { type ValidationError, type ValidationSchema } from "fastest-validator";
import type { Violation } from "./errors.ts";

export type { ValidationSchema } from "fastest-validator";

const Validator = FastestValidator as unknown as typeof FastestValidator.default;
const validator = new Validator({ haltOnFirstError: false, useNewCustomCheckerFunction: true });

export type Check = (value: unknown) => Violation[];

/** One code for everything, or the code of a single error. */
type CodeOf = string | ((error: Pick<ValidationError, "field" | "type" | "actual">) => string);

/** Compiles once; unknown properties are ignored. The value must be a plain object. */
export function compileCheck(schema: ValidationSchema, code: CodeOf): Check {
  const codeOf = typeof code === "string" ? () => code : code;
  const check = validator.compile({ $$strict: false, ...schema });
  return (value) => {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      return [
        {
          field: "",
          code: codeOf({ field: "", type: "object", actual: value }),
          message: "must be a JSON object",
        },
      ];
    const result = check(value);
    return result === true
      ? []
      : (result as ValidationError[]).map((error) => toViolation(error, codeOf(error)));
  };
}

function toViolation(error: ValidationError, code: string): Violation {
  return { field: error.field, code, message: error.message ?? "is not valid" };
}
