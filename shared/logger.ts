import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import type { Config } from "./config.ts";

export type { Logger } from "pino";

/** Keys that never reach a log line, at the top and up to three levels down. */
const SECRET_KEYS = [
  "password",
  "passwordHash",
  "secret",
  "webhookSecret",
  "privateKey",
  "authorization",
  "cookie",
  "set-cookie",
  "client_assertion",
  "access_token",
  "token",
  "sessionId",
  "identityValue",
  "taxIdentificationNumber",
  "envelopeJson",
  "body",
];

const redactPaths = SECRET_KEYS.flatMap((key) => {
  const name = /^\w+$/.test(key) ? `.${key}` : `["${key}"]`;
  return [name.replace(/^\./, ""), `*${name}`, `*.*${name}`, `*.*.*${name}`];
});

export function loggerOptions(config: Pick<Config, "logLevel" | "process">): LoggerOptions {
  return {
    level: config.logLevel,
    base: { service: config.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: redactPaths, censor: "[redacted]" },
    hooks: { logMethod: errorFirst },
  };
}

export const createLogger = (
  config: Pick<Config, "logLevel" | "process">,
  destination?: DestinationStream,
): Logger => pino(loggerOptions(config), destination ?? pino.destination({ fd: 1, sync: false }));

/** Moleculer logs ("text", error); pino would drop the error, and with it the stack. */
function errorFirst(this: Logger, args: unknown[], method: (...rest: never[]) => void): void {
  const [first, ...rest] = args;
  const error = rest.find((arg) => arg instanceof Error);
  const call = method as (...rest: unknown[]) => void;
  if (typeof first === "string" && error) call.call(this, { err: error }, first);
  else if (first === null || first === undefined) call.call(this, {}, ...rest);
  else call.apply(this, args);
}
