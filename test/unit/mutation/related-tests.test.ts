import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createRelated } from "../../mutation/related-tests.ts";

const root = join(import.meta.dirname, "../../..");
const related = createRelated(root);

test.each(globSync("{services,gateway,shared}/**/*.repository.ts", { cwd: root }).toSorted())(
  "%s is judged by a suite with a database",
  (file) => {
    expect(related(file).integration).not.toEqual([]);
  },
);

test("a folder of suites is all of them, and rules need none", () => {
  const folder = "test/integration/delivery/record-queries";
  expect(related("services/delivery/history/tally.repository.ts").integration).toEqual(
    ["deliveries", "events-and-replays", "history"].map((name) => `${folder}/${name}.test.ts`),
  );
  expect(related("services/delivery/records/event.rules.ts").integration).toEqual([]);
});
