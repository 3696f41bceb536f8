/** The environment of programs that deploy and tests start. */
import { processEnv } from "../../shared/config/config.ts";

/**
 * Children get what a program needs to run and nothing else: moleculer-runner lets variables such as LOGGER
 * or NAMESPACE overwrite its configuration, and test runners set variables of their own.
 */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LANG|LC_.*|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/;

export function childEnv(extra: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(processEnv()).filter(
    (entry): entry is [string, string] => PASSED_ON.test(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(kept), ...extra };
}
