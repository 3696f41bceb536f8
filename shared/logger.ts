import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import type { Config } from "./config.ts";
import { errorFacts, REDACTED, SECRET_KEYS, withoutSecrets } from "./redaction.ts";

export type { Logger } from "pino";

/** Lines are gathered for at most this long, or until they fill a block; an exit writes what is left. */
const FLUSH_MS = 100;
const BLOCK_BYTES = 16_000;

export function loggerOptions(config: Pick<Config, "logLevel" | "process">): LoggerOptions {
  return {
    level: config.logLevel,
    base: { service: config.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    serializers: { err: errorFacts, ...Object.fromEntries(SECRET_KEYS.map((key) => [key, () => REDACTED])) },
    hooks: { logMethod: errorFirst },
  };
}

export const createLogger = (
  config: Pick<Config, "logLevel" | "process">,
  destination?: DestinationStream,
): Logger =>
  pino(
    loggerOptions(config),
    destination ?? pino.destination({ fd: 1, sync: false, minLength: BLOCK_BYTES, periodicFlush: FLUSH_MS }),
  );

/** Moleculer logs ("text", error); pino would drop the error, and with it the stack. */
function errorFirst(this: Logger, args: unknown[], method: (...rest: never[]) => void): void {
  const [first, ...rest] = args;
  const error = rest.find((arg) => arg instanceof Error);
  const call = method as (...rest: unknown[]) => void;
  if (typeof first === "string" && error) call.call(this, { err: error }, first);
  else if (first === null || first === undefined) call.call(this, {}, ...rest);
  else call.apply(this, args);
}
