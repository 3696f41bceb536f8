import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Of this release, as its package says. */
export const VERSION: string = JSON.parse(
  readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
).version;
