/**
 * npm run chaos: faults on a running system, from printed seeds, until a person stops it or a wish is fulfilled.
 * --minutes 30 or --rounds 10 (10 unless given), --seed 7 repeats one schedule, --only link,broker or link-cut.
 * Ends with 1 if a round had a violation.
 */
import { parseArgs } from "node:util";
import { seededRandom } from "../seeded-random.ts";
import { findFakeTime } from "./fake-clock.ts";
import { ALL_KINDS, type FaultKind, kindsNamed } from "./faults.rules.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { describeRound, type RoundResult, recoveryTable } from "./report.rules.ts";
import { drawSchedule } from "./schedule.rules.ts";

const DEFAULT_ROUNDS = 10;
/** All that was ever done is compared after each round; a fresh stage keeps that short. */
const ROUNDS_PER_STAGE = 12;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
  },
});
const minutes = values.minutes === undefined ? null : Number(values.minutes);
const defaultRounds = values.seed === undefined ? DEFAULT_ROUNDS : 1;
const mostRounds =
  minutes === null || values.rounds ? Number(values.rounds ?? defaultRounds) : Number.POSITIVE_INFINITY;
const endsAt = minutes === null ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000;
const nextSeed = () => (values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed));

async function wantedKinds(): Promise<FaultKind[]> {
  const kinds = values.only ? kindsNamed(values.only.split(",")) : ALL_KINDS;
  const hasClock = !kinds.includes("process-clock") || (await findFakeTime(say)) !== null;
  return hasClock ? [...kinds] : kinds.filter((kind) => kind !== "process-clock");
}

const kinds = await wantedKinds();
const results: RoundResult[] = [];
let laboratory: Laboratory | null = null;
let onStage = 0;
try {
  while (results.length < mostRounds && Date.now() < endsAt) {
    laboratory ??= await openLaboratory(say);
    const random = seededRandom(nextSeed());
    const result = await laboratory.round(random, drawSchedule(random, kinds));
    results.push(result);
    onStage += 1;
    for (const line of describeRound(result)) say(line);
    if (result.violations.length === 0 && onStage < ROUNDS_PER_STAGE) continue;
    // What is stuck or wrong would be found again and again.
    await laboratory.close();
    laboratory = null;
    onStage = 0;
  }
} finally {
  await laboratory?.close();
}
say("");
for (const line of recoveryTable(results)) say(line);
const bad = results.filter(({ violations }) => violations.length > 0);
say(
  `\n${results.length} rounds, ${bad.length} with violations${bad.length > 0 ? `: seeds ${bad.map(({ seed }) => seed).join(", ")}` : ""}`,
);
process.exitCode = bad.length > 0 ? 1 : 0;
