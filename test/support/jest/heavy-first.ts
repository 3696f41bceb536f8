/** The order of a whole run: long suites start early, so that none runs alone at the end, but not all at once. */
import { statSync } from "node:fs";
import sequencer from "@jest/test-sequencer";

/** The package's types describe require(); an import gives the class itself. */
const DefaultOrder = sequencer as unknown as typeof sequencer.default;
type Test = Parameters<InstanceType<typeof DefaultOrder>["cacheResults"]>[0][number];

/**
 * Long suites, the longest first. Suites with and without a platform alternate: an idle platform costs a tenth of a core.
 */
const LONG = [
  "browser/dashboard",
  "e2e/journeys",
  "e2e/faults",
  "chaos/laboratory",
  "e2e/npm-start",
  "integration/delivery/processes",
  "integration/document/lost-notices",
  "integration/auth/invitations",
  "integration/delivery/replay-windows",
  "integration/auth/login",
  "integration/shared/nats-transporter",
  "integration/gateway/process",
  "e2e/production",
  "integration/delivery/pause",
  "integration/shared/readiness",
  "integration/delivery/broken-links",
  "integration/shared/outbox",
  "integration/gateway/faults",
  "manifests/guide",
  "manifests/alerts",
];
const AT_ONCE = 2;
/** This number of others starts before the next long suite. */
const OTHERS_BETWEEN = 3;

export default class HeavyFirst extends DefaultOrder {
  override sort(tests: readonly Test[]): Test[] {
    const rankOf = ({ path }: Test) => LONG.findIndex((name) => path.includes(`/test/${name}.`));
    const long = tests.filter((test) => rankOf(test) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b));
    const others = tests.filter((test) => rankOf(test) < 0).toSorted((a, b) => weightOf(b) - weightOf(a));
    const sorted = long.splice(0, AT_ONCE);
    while (others.length > 0) sorted.push(...others.splice(0, OTHERS_BETWEEN), ...long.splice(0, 1));
    return [...sorted, ...long];
  }
}

/** Suites with servers first, then by size: a fresh clone has no durations yet. */
const weightOf = ({ path }: Test): number =>
  (path.includes("/test/unit/") ? 0 : 1_000_000) + statSync(path).size;
