/** The bodies and queries of this service: the actions check them, the API document shows them. */
import { TEAM_ROLES } from "../../shared/contract/vocabularies.ts";
import type { ValidationSchema } from "../../shared/input/validation.ts";
import { ASSERTION_TYPE } from "./token/token-request.rules.ts";

/** Generous: a wrong login must look like one, not like a malformed request. */
export const loginBody: ValidationSchema = {
  email: { type: "string", empty: false, max: 255 },
  password: { type: "string", empty: false, max: 1024 },
  code: { type: "string", optional: true, empty: false, max: 64 },
};

const code = { type: "string", empty: false, max: 64 } as const;

export const passwordBody: ValidationSchema = {
  currentPassword: { type: "string", empty: false, max: 1024 },
  newPassword: { type: "string", min: 8, max: 256 },
  code: { ...code, optional: true },
};

export const codeBody: ValidationSchema = { code };

/** A code of the current second factor or a recovery code; a person without a factor sends none. */
export const formerCodeBody: ValidationSchema = { code: { ...code, optional: true } };

export const roleBody: ValidationSchema = { role: { type: "enum", values: [...TEAM_ROLES] } };

export const inviteBody: ValidationSchema = {
  email: { type: "string", empty: false, max: 255 },
  role: { type: "enum", values: [...TEAM_ROLES] },
};
export const acceptBody: ValidationSchema = {
  token: { type: "string", empty: false, max: 256 },
  password: { type: "string", min: 8, max: 256 },
};

export const certificateBody: ValidationSchema = {
  certificate: {
    type: "string",
    empty: false,
    max: 16_384,
    $$meta: { description: "One X.509 certificate in PEM, with an RSA key of at least 2048 bits." },
  },
};

export const failedQuery: ValidationSchema = {
  failed: {
    type: "string",
    enum: ["true", "false"],
    optional: true,
    $$meta: { description: "true: only refused and failed requests." },
  },
};

export const tokenForm: ValidationSchema = {
  grant_type: { type: "enum", values: ["client_credentials"] },
  client_assertion_type: { type: "enum", values: [ASSERTION_TYPE] },
  client_assertion: {
    type: "string",
    $$meta: { description: "A JWT, signed with RS256 and the key of a registered certificate." },
  },
  scope: {
    type: "string",
    optional: true,
    $$meta: { description: "partner.read, partner.write or both. Absent: all scopes of the client." },
  },
  client_id: { type: "string", optional: true, $$meta: { description: "If sent, the same as sub." } },
};
