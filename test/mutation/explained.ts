/** Mistakes that no test can see, because they change nothing that anybody could notice; each with the reason. */
import { readFileSync } from "node:fs";

export type Explanation = {
  file: string;
  reason: string;
  /** The line before and after, as the report has it. */
  texts: readonly string[];
};

export const EXPLAINED: readonly Explanation[] = JSON.parse(
  readFileSync(new URL("explained.json", import.meta.url), "utf8"),
);
