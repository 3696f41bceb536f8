/** Reads a body that its schema describes, or refuses it with every violation. */
import { AppError } from "../../shared/errors.ts";
import { compileCheck, type ValidationSchema } from "../../shared/input/validation.ts";

export function bodyReader<Body>(schema: ValidationSchema): (body: unknown) => Body {
  const check = compileCheck(schema, "ValidationControl.Error");
  return (body) => {
    const details = check(body);
    if (details.length > 0)
      throw new AppError("ValidationControl.Error", "The request is not valid.", { details });
    return body as Body;
  };
}
