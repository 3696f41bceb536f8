/** Comments name their subject: few begin with a headless relative or a pronoun. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { projectDir } from "../../deploy/lib/paths.ts";

const HEADLESS = /(?:\/\*\*?|\/\/)[\s*]*(?:What|Who|Whoever|One|Of|Those|So many)\b.*/g;
const AT_MOST = 40;

test("comments: few begin with What, Who, Whoever, One, Of, Those or So many", () => {
  const files = globSync("{services,gateway,shared,deploy}/**/*.{ts,tsx,js,mjs}", {
    cwd: projectDir,
    // The client's types are generated from the API document.
    exclude: ["**/node_modules", "**/dist", "deploy/client/typescript/src/types.ts"],
  });
  const found = files.flatMap((file) =>
    [...readFileSync(join(projectDir, file), "utf8").matchAll(HEADLESS)].map(
      ([comment]) => `${file}: ${comment}`,
    ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found.slice(AT_MOST)).toEqual([]);
});
