/**
 * npm run chaos: faults on a running system, from printed seeds, until a person stops it or a wish is fulfilled.
 * --minutes 30 or --rounds 10 (10 unless given), --seed 7 repeats one schedule, --only link,broker or link-cut,
 * --cluster has three members of MongoDB and three servers of NATS, with the faults that only they can have.
 * --other <folder> runs the second replicas from another checkout; process-rollout then changes versions.
 * --until-found "never received" stops at a violation that matches. Ends with 2 if a round had one.
 * --without deadlines shows that the laboratory works: a fix is taken out of a copy of the checkout, and the fault must be
 * found again, within ten minutes unless given.
 */
import { parseArgs } from "node:util";
import { canMountDisks } from "../../support/small-disk.ts";
import { seededRandom } from "../seeded-random.ts";
import { findFakeTime } from "./fake-clock.ts";
import { type FaultKind, kindsNamed, kindsOn, type StageKind } from "./faults.rules.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { fixNamed, kindsFor } from "./removed-fixes.rules.ts";
import { describeRound, isBad, type RoundResult, recoveryTable } from "./report.rules.ts";
import { drawSchedule, seedFor } from "./schedule.rules.ts";
import { FOUND, isFoundWithout } from "./without-fix.ts";

const DEFAULT_ROUNDS = 10;
const DEFAULT_MINUTES_TO_FIND = "10";
/** All that was ever done is compared after each round; a fresh stage keeps that short. */
const ROUNDS_PER_STAGE = 12;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    "until-found": { type: "string" },
    without: { type: "string" },
    cluster: { type: "boolean", default: false },
    other: { type: "string" },
  },
});
const kind: StageKind = values.cluster ? "cluster" : "single";
const minutes = values.minutes === undefined ? null : Number(values.minutes);
const defaultRounds = values.seed === undefined ? DEFAULT_ROUNDS : 1;
const mostRounds =
  minutes === null || values.rounds ? Number(values.rounds ?? defaultRounds) : Number.POSITIVE_INFINITY;
const endsAt = minutes === null ? Number.POSITIVE_INFINITY : Date.now() + minutes * 60_000;
const drawSeed = () => Math.floor(Math.random() * 1e9);

const sought = values["until-found"] === undefined ? null : new RegExp(values["until-found"]);
const isSought = ({ violations }: RoundResult): boolean =>
  sought !== null && violations.some((violation) => sought.test(violation));

const DISKS: readonly FaultKind[] = ["broker-full-disk", "mongod-full-disk"];

async function wantedKinds(): Promise<FaultKind[]> {
  const kinds = values.only ? kindsNamed(values.only.split(","), kind) : kindsOn(kind);
  const missing: FaultKind[] = [];
  if (kinds.includes("process-clock") && (await findFakeTime(say)) === null) missing.push("process-clock");
  if (kinds.some((one) => DISKS.includes(one)) && !canMountDisks()) {
    say(`no full disks: only root can mount a small one (${DISKS.join(", ")})`);
    missing.push(...DISKS);
  }
  const drawn = kinds.filter((one) => !missing.includes(one));
  if (drawn.length === 0) throw new Error("This machine can have none of the faults that --only names.");
  return drawn;
}

async function runRounds(): Promise<RoundResult[]> {
  const kinds = await wantedKinds();
  const results: RoundResult[] = [];
  const isOver = () => results.length >= mostRounds || Date.now() >= endsAt || results.some(isSought);
  let laboratory: Laboratory | null = null;
  let onStage = 0;
  try {
    while (!isOver()) {
      laboratory ??= await openLaboratory(say, { kind, other: values.other });
      const seed =
        values.seed === undefined ? seedFor(results.length, kinds, drawSeed, kind) : Number(values.seed);
      const random = seededRandom(seed);
      const result = await laboratory.round(random, drawSchedule(random, kinds, kind));
      results.push(result);
      onStage += 1;
      for (const line of describeRound(result)) say(line);
      if (isBad(result)) say(`  logs: ${laboratory.keepLogs(String(seed))}`);
      if (!isBad(result) && onStage < ROUNDS_PER_STAGE) continue;
      // Later rounds would report the same violation again.
      await laboratory.close();
      laboratory = null;
      onStage = 0;
    }
  } finally {
    await laboratory?.close();
  }
  return results;
}

async function chaos(): Promise<number> {
  const results = await runRounds();
  say("");
  for (const line of recoveryTable(results)) say(line);
  const bad = results.filter(sought === null ? isBad : isSought);
  const seeds = bad.length > 0 ? `: seeds ${bad.map(({ seed }) => seed).join(", ")}` : "";
  const what = sought === null ? "violations" : sought;
  say(`\n${results.length} rounds, ${bad.length} with ${what}${seeds}`);
  return bad.length > 0 ? FOUND : 0;
}

async function withoutFix(name: string): Promise<number> {
  const fix = fixNamed(name);
  const startedAt = performance.now();
  const onStage = values.cluster ? ["--cluster"] : [];
  const { minutes: within = DEFAULT_MINUTES_TO_FIND, seed, only = kindsFor(fix) } = values;
  const drawn = Object.entries({ seed, only }).flatMap(([option, value]) =>
    value ? [`--${option}`, value] : [],
  );
  const isFound = await isFoundWithout(fix, ["--minutes", within, ...drawn, ...onStage]);
  const tookMinutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  say(`without ${fix}: ${isFound ? "found" : "NOT found"} within ${tookMinutes} minutes`);
  return isFound ? 0 : FOUND;
}

process.exitCode = await (values.without === undefined ? chaos() : withoutFix(values.without));
