/** Documentation of a route beyond its row. */
import type { ValidationSchema } from "fastest-validator";
import type { JsonSchema } from "../../shared/contract/answer-schema.ts";
import type { ErrorCode } from "../../shared/contract/error-codes.ts";
import type { ActionsOf, Tag } from "../routes.ts";

export type RouteDoc = {
  summary: string;
  description?: string;
  /** fastest-validator schemas; they become JSON Schema in the API document. */
  body?: ValidationSchema;
  /** JSON Schema of the body beyond its fields: fields that require others. */
  bodyCondition?: JsonSchema;
  query?: ValidationSchema;
  /** JSON Schema of the value, where it says more than the row of the action. */
  value?: JsonSchema | undefined;
  /** The answer's ETag is the version, and a change takes If-Match. */
  hasVersion?: true;
  /** A change takes If-Match with the version of a read. */
  takesVersion?: true;
  /** Headers of a success that do not follow from the row. */
  headers?: readonly ("Deprecation" | "SetCookie")[];
  bodyExample?: unknown;
  /** The request may come without a body. */
  isBodyOptional?: true;
  valueExample?: unknown;
  errors?: readonly ErrorCode[];
  /** Codes that are 404 here, because the path names what is missing; where a body names it they are 400. */
  missing?: readonly ErrorCode[];
  /** Meaning of each status where the answer has no code of ours, as at the token endpoint. */
  failures?: Readonly<Record<number, string>>;
};

/** Documentation of the routes with this tag: of each of them, and of nothing else. */
export type DocsOf<T extends Tag> = Record<ActionsOf<T>, RouteDoc>;

/** A condition that a field is there. Linters want the property beside `required`, and examples may have others. */
export const withField = (name: string, like: JsonSchema = {}): JsonSchema => ({
  required: [name],
  properties: { [name]: like },
  additionalProperties: true,
});
