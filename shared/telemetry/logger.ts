/** The logger of a process: pino with secrets redacted. */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import type { Config } from "../config/config.ts";
import { gatherLines } from "./log-lines.ts";
import { errorFacts, REDACTED, SECRET_KEYS, withoutSecrets } from "./redaction.ts";

export type { Logger } from "pino";

export function loggerOptions(config: Pick<Config, "logLevel" | "process">): LoggerOptions {
  return {
    level: config.logLevel,
    base: { service: config.process },
    timestamp: isoTime(),
    formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    serializers: { err: errorFacts, ...Object.fromEntries(SECRET_KEYS.map((key) => [key, () => REDACTED])) },
    hooks: { logMethod: errorFirst },
  };
}

export const createLogger = (
  config: Pick<Config, "logLevel" | "process">,
  destination?: DestinationStream,
): Logger => pino(loggerOptions(config), destination ?? gatherLines());

/** Like pino's isoTime, but cached per millisecond: formatting it costs more than the rest of a line. */
function isoTime(): () => string {
  let at = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`;
    at = now;
    return text;
  };
}

/** Moleculer logs ("text", error); pino would drop the error and its stack. */
function errorFirst(this: Logger, args: unknown[], method: (...rest: never[]) => void): void {
  const [first, ...rest] = args;
  const error = rest.find((arg) => arg instanceof Error);
  const call = method as (...rest: unknown[]) => void;
  if (typeof first === "string" && error) call.call(this, { err: error }, first);
  else if (first === null || first === undefined) call.call(this, {}, ...rest);
  else call.apply(this, args);
}
