/**
 * The short form of the fault laboratory (npm run chaos): several faults at once on two replicas of everything. The date
 * in UTC is the seed in npm test. The nightly run draws other seeds. PBO_TEST_CHAOS_SEED=<seed> repeats one.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { processEnv } from "../../shared/config/config.ts";
import { repetitions } from "../support/repetitions.ts";
import { drawDaily, seedOfDay } from "./lab/daily.rules.ts";
import { type Laboratory, openLaboratory } from "./lab/laboratory.ts";
import { describeRound } from "./lab/report.rules.ts";
import { seededRandom } from "./seeded-random.ts";

/** As when a release changes all; one by one, and both replicas of each kind, in the nightly run. */
const AT_A_TIME = repetitions({ short: 3, nightly: 1 });
const REPLICAS = repetitions({ short: 1, nightly: 2 });
const ROUNDS = repetitions({ short: 1, nightly: 10 });
/** Share of the answers to a rolling restart, however busy the host is. */
const MOST_EXCUSED = 0.05;
const { PBO_TEST_CHAOS_SEED } = processEnv();
const drawnSeed = repetitions({ short: seedOfDay(new Date()), nightly: Math.floor(Math.random() * 1e9) });
const random = seededRandom(Number(PBO_TEST_CHAOS_SEED ?? drawnSeed));
const say = (line: string) => void process.stderr.write(`chaos: ${line}\n`);

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory(say);
});
afterAll(() => laboratory?.close());

test("a rolling restart, several at a time: no request fails and no event is lost", async () => {
  const { answers, excused, violations } = await laboratory.rollingRestart(AT_A_TIME, REPLICAS);
  expect(violations).toEqual([]);
  expect(answers).toBeGreaterThan(0);
  expect(excused).toBeLessThanOrEqual(MOST_EXCUSED * answers);
});

test(
  `seed ${random.seed}: nothing promised is lost, and work moves again by itself`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const result = await laboratory.round(random, {
        faults: drawDaily(random),
        isCalm: false,
        isShort: ROUNDS === 1,
      });
      for (const line of describeRound(result)) say(line);
      expect(result.violations).toEqual([]);
      expect(result.counts.created).toBeGreaterThan(0);
    }
  },
  ROUNDS * 600_000,
);
