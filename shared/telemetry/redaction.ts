/** Removes secrets from log lines. pino's redact costs twelve times the line itself for these keys at four levels. */

export const REDACTED = "[redacted]";

export const SECRET_KEYS = [
  "password",
  "passwordHash",
  "secret",
  "webhookSecret",
  "privateKey",
  "authorization",
  "Authorization",
  "cookie",
  "Cookie",
  "set-cookie",
  "Set-Cookie",
  "client_assertion",
  "access_token",
  "token",
  "sessionId",
  "identityValue",
  "taxIdentificationNumber",
  "envelopeJson",
  "body",
] as const;

const secretKeys = new Set(SECRET_KEYS.map((key) => key.toLowerCase()));

/** Deeper values are not logged. */
const MAX_LEVELS = 6;

type Line = Record<string, unknown>;

/** Cleans nested objects; pino's serializers handle the keys of the line itself. */
export function withoutSecrets(line: Line): Line {
  let clean = line;
  for (const key in line) {
    const value = line[key];
    if (typeof value !== "object" || value === null || value instanceof Error) continue;
    if (clean === line) clean = { ...line };
    clean[key] = cleaned(value, MAX_LEVELS);
  }
  return clean;
}

function cleaned(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (value instanceof Error) return errorFacts(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (levels === 0) return "[deeper]";
  if (Array.isArray(value)) return value.map((item) => cleaned(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretKeys.has(key.toLowerCase()) ? REDACTED : cleaned(inner, levels - 1),
    ]),
  );
}

/** Driver errors carry whole documents: only fields known to be harmless and the stacks of the causes are kept. */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return cleaned(error, MAX_LEVELS);
  const { code, type } = error as { code?: unknown; type?: unknown };
  return {
    name: error.name,
    message: withoutKeyValues(error.message),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    stack: withoutKeyValues(stackWithCauses(error, MAX_LEVELS)),
  };
}

/** MongoDB reports the values of a duplicate key, which can be an email address. */
const withoutKeyValues = (text: string): string =>
  text.replaceAll(/dup key: \{.*\}/g, `dup key: ${REDACTED}`);

function stackWithCauses(error: Error, levels: number): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  if (!(error.cause instanceof Error) || levels === 0) return own;
  return `${own}\ncaused by: ${stackWithCauses(error.cause, levels - 1)}`;
}
