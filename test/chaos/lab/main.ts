/**
 * npm run chaos: faults on a running system, from printed seeds.
 * --minutes 30 or --rounds 10 (10 unless given), --seed 7 repeats one schedule, --only link,broker or link-cut.
 * Exits with 2 if a round had a violation.
 */
import { parseArgs } from "node:util";
import { seededRandom } from "../seeded-random.ts";
import { findFakeTime } from "./fake-clock.ts";
import { ALL_KINDS, type FaultKind, kindsNamed } from "./faults.rules.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { describeRound, isBad, type RoundResult, recoveryTable } from "./report.rules.ts";
import { drawSchedule, seedFor } from "./schedule.rules.ts";

const DEFAULT_ROUNDS = 10;
const FOUND = 2;
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
const drawSeed = () => Math.floor(Math.random() * 1e9);

async function wantedKinds(): Promise<FaultKind[]> {
  const kinds = values.only ? kindsNamed(values.only.split(",")) : ALL_KINDS;
  const hasClock = !kinds.includes("process-clock") || (await findFakeTime(say)) !== null;
  const drawn = kinds.filter((kind) => hasClock || kind !== "process-clock");
  if (drawn.length === 0) throw new Error("This machine can have none of the faults that --only names.");
  return drawn;
}

async function runRounds(): Promise<RoundResult[]> {
  const kinds = await wantedKinds();
  const results: RoundResult[] = [];
  const isOver = () => results.length >= mostRounds || Date.now() >= endsAt;
  let laboratory: Laboratory | null = null;
  let onStage = 0;
  try {
    while (!isOver()) {
      laboratory ??= await openLaboratory(say);
      const seed = values.seed === undefined ? seedFor(results.length, kinds, drawSeed) : Number(values.seed);
      const random = seededRandom(seed);
      const result = await laboratory.round(random, drawSchedule(random, kinds));
      results.push(result);
      onStage += 1;
      for (const line of describeRound(result)) say(line);
      if (isBad(result)) say(`  logs: ${laboratory.keepLogs(String(seed))}`);
      if (!isBad(result) && onStage < ROUNDS_PER_STAGE) continue;
      // What is stuck or wrong would be found again and again.
      await laboratory.close();
      laboratory = null;
      onStage = 0;
    }
  } finally {
    await laboratory?.close();
  }
  return results;
}

const results = await runRounds();
say("");
for (const line of recoveryTable(results)) say(line);
const bad = results.filter(isBad);
const seeds = bad.length > 0 ? `: seeds ${bad.map(({ seed }) => seed).join(", ")}` : "";
say(`\n${results.length} rounds, ${bad.length} with violations${seeds}`);
process.exitCode = bad.length > 0 ? FOUND : 0;
