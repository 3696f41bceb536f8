/** The refusal of one property of a body, named in `details` for a form to show it there. */
import { AppError } from "../../../shared/errors.ts";

const CODE = "ValidationControl.Error";

export const refusedField = (field: string, message: string): AppError =>
  new AppError(CODE, message, { details: [{ field, code: CODE, message }] });
