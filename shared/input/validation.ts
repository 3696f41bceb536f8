/** Wraps fastest-validator: reports every violation with the path of its field. */
import FastestValidator, { type ValidationError, type ValidationSchema } from "fastest-validator";
import { AppError, type Violation } from "../errors.ts";
import { isRecord } from "../is-record.ts";

export type { ValidationSchema } from "fastest-validator";

/** Adds to a rule what the API document says about it. */
export const about = (description: string, more: object = {}) => ({ $$meta: { description, ...more } });

const Validator = FastestValidator as unknown as typeof FastestValidator.default;

/** No message repeats a value, which may be personal data; the field is reported separately. */
const MESSAGES = {
  required: "is required",
  string: "must be a string",
  stringEmpty: "must not be empty",
  stringMin: "must have at least {expected} characters",
  stringMax: "must have at most {expected} characters",
  stringLength: "must have {expected} characters",
  stringPattern: "does not have the required form",
  stringEnum: "must be one of {expected}",
  enumValue: "must be one of {expected}",
  number: "must be a number",
  numberInteger: "must be a whole number",
  numberMin: "must be at least {expected}",
  numberMax: "must be at most {expected}",
  array: "must be a list",
  arrayEmpty: "must not be empty",
  arrayMin: "must have at least {expected} entries",
  arrayMax: "must have at most {expected} entries",
  arrayUnique: "must not hold an entry twice",
  arrayEnum: "must hold only {expected}",
  boolean: "must be true or false",
  object: "must be an object",
  email: "must be an email address",
  uuid: "must be a UUID",
  url: "must be an absolute URL",
};

const validator = new Validator({
  haltOnFirstError: false,
  useNewCustomCheckerFunction: true,
  messages: MESSAGES,
});

export type Check = (value: unknown) => Violation[];

/** An error code for all violations, or a function of the violation. */
type CodeOf = string | ((error: Pick<ValidationError, "field" | "type" | "actual">) => string);

/** Compile once, use often; unknown properties are ignored. */
export function compileCheck(schema: ValidationSchema, code: CodeOf): Check {
  const codeOf = typeof code === "string" ? () => code : code;
  const check = validator.compile({ $$strict: false, ...schema });
  const checkSafely = (value: object) => {
    try {
      return check(value);
    } catch (error) {
      // The library makes a text of every value at fault, which fails for [{"toString": 1}].
      if (!(error instanceof TypeError)) throw error;
      return check(withoutConversions(value));
    }
  };
  return (value) => {
    if (!isRecord(value))
      return [
        {
          field: "",
          code: codeOf({ field: "", type: "object", actual: value }),
          message: "must be a JSON object",
        },
      ];
    const result = checkSafely(value);
    return result === true
      ? []
      : (result as ValidationError[]).map((error) => ({
          field: error.field,
          code: codeOf(error),
          message: error.message ?? "is not valid",
        }));
  };
}

/** Reads a body that its schema describes, or refuses it with every violation. */
export function bodyReader<Body>(
  schema: ValidationSchema,
  message = "The request is not valid.",
): (body: unknown) => Body {
  const check = compileCheck(schema, "ValidationControl.Error");
  return (body) => {
    const details = check(body);
    if (details.length > 0) throw new AppError("ValidationControl.Error", message, { details });
    return body as Body;
  };
}

const withoutConversions = (value: object): object =>
  JSON.parse(
    JSON.stringify(value, (name, inner) => (name === "toString" || name === "valueOf" ? undefined : inner)),
  ) as object;
