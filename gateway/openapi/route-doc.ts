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
  /** JSON Schema of the body beyond its fields: which ask for which others. */
  bodyCondition?: JsonSchema;
  query?: ValidationSchema;
  /** JSON Schema of `value`. */
  value?: JsonSchema;
  /** The answer's ETag is the version, and a change takes If-Match. */
  hasVersion?: true;
  /** Takes If-Match with the version that a read showed. */
  takesVersion?: true;
  /** Headers of a success that no other fact of the route tells. */
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
