/**
 * Environment of child processes: only what a program needs to run. moleculer-runner lets variables such as LOGGER or
 * NAMESPACE override its configuration, and test runners set variables of their own.
 */
import { processEnv } from "../../shared/config/config.ts";

const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LANG|LC_.*|NODE_OPTIONS|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/;

export function childEnv(extra: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(processEnv()).filter(
    (entry): entry is [string, string] => PASSED_ON.test(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(kept), ...extra };
}
