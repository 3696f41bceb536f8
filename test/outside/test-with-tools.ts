import { isNightly } from "../support/repetitions.ts";
import { nightlyTest, testIf } from "../support/skipped.ts";

/** Nightly: it needs tools that we did not write. A run without them shows it as skipped. */
export function testWithTools(
  tools: () => string | null,
  name: string,
  run: (dir: string) => Promise<void>,
): void {
  const dir = isNightly ? tools() : null;
  const declare = isNightly ? testIf(dir !== null, "its tools or their registry are missing") : nightlyTest;
  declare(name, () => run(dir ?? ""));
}
