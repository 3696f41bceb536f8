/** A stage with its partners, on which rounds are run: load, faults by their schedule, quiet, and the comparison. */
import { cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startBalancer } from "../../support/clients/balanced-load.ts";
import { type RunningTime, startRunningTime } from "../../support/running-time.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Random } from "../seeded-random.ts";
import { answerViolations, isRefused, mostRefused } from "./answers.rules.ts";
import { type Snapshot, violationsOf } from "./checker.rules.ts";
import { countsOf } from "./counts.ts";
import { cutOffViolations } from "./cut-off.rules.ts";
import { FAULT_KINDS, type Fault, LAB_PROCESSES } from "./faults.rules.ts";
import { type FeedReaders, startFeedReaders } from "./feed-reader.ts";
import { inject, type Setting } from "./inject.ts";
import { lateWebhooks } from "./late-webhooks.rules.ts";
import { emptyLedger, type Ledger } from "./ledger.rules.ts";
import { type Load, ROLLOUT, startLoad } from "./load.ts";
import { type Observer, observe, startSampling } from "./observe.ts";
import { registerPartners } from "./partners.ts";
import { flapping, resumedLate, stoodWhileReady } from "./progress.rules.ts";
import { DISABLED_PARTNER } from "./receiver-faults.ts";
import type { RoundResult } from "./report.rules.ts";
import type { Schedule } from "./schedule.rules.ts";
import { type LabStage, type StageOptions, startLabStage } from "./stage.ts";
import { watchTotals } from "./totals.ts";

/** Answers 503 of a machine that the host held up are excused. */
type RolloutResult = { answers: number; excused: number; violations: string[] };

/**
 * A short round does not wait until its youngest events are in the feed; a later round judges them. Other suites share the
 * machine with it, so refusals and readiness are judged in npm run chaos only, and the first create has more time.
 */
type RoundSchedule = Pick<Schedule, "faults" | "isCalm"> & { isShort?: boolean };

export type Laboratory = Awaited<ReturnType<typeof openLaboratory>>;

const DONE_WITHIN_MS = 30_000;
/** Late work is observed for this long. */
const PATIENCE_MS = 75_000;
/** The load goes on for so long after the last fault, and until a create succeeds. */
const LOAD_AFTER_MS = 3_000;
const FIRST_CREATE_WITHIN_MS = 20_000;
/** A retry after a receiver's fault may wait for so long. */
const RETRY_WAIT_MS = 10_000;
/** The load must really flow before and after a restart, or nothing is shown. */
const CREATES_BETWEEN = 10;
/** The feed leaves out younger events (PBO_FEED_SETTLE_MS), and an event may wait for the one before it. */
const IN_FEED_WITHIN_MS = 45_000;
/** Without faults; a reader asks each second. */
const IN_FEED_USUALLY_MS = 20_000;
const SAMPLE_MS = 1_000;
const LOOK_MS = 250;

export async function openLaboratory(say: (line: string) => void, options: StageOptions = {}) {
  const stage = await startLabStage(options);
  const partners = await registerPartners(stage);
  const ledger = emptyLedger();
  const observer = await observe(stage, ledger);
  let faultsAtOnce = 0;
  const disabled: Snapshot["disabled"] = [];
  const damaged: Snapshot["damaged"] = [];
  const readers = startFeedReaders(inTurn(stage.gateways), partners, ledger);
  const onDamaged = (found: Snapshot["damaged"]) => void damaged.push(...found);
  /** The feeds last: an event that is recorded meanwhile is in a feed only. */
  const look = async (feeds: FeedReaders["look"], feedUntilMs: number | null): Promise<Snapshot> => ({
    ...(await observer.snapshot(partners)),
    ...{ disabled, damaged, faultsAtOnce },
    feeds: await feeds(),
    feedUntilMs,
  });
  return {
    /** The ledger is kept over rounds: a later round finds late work of an earlier one. */
    async round(random: Random, { faults, isCalm, isShort = false }: RoundSchedule): Promise<RoundResult> {
      const before = countsOf(ledger, partners, readers);
      const callsBefore = ledger.calls.length;
      faultsAtOnce = Math.max(faultsAtOnce, faults.length);
      const load = startLoad(inTurn(stage.gateways), partners, ledger, isCalm);
      const sampling = startSampling(observer);
      const totals = watchTotals(inTurn(stage.gateways), partners, observer);
      const spans = await Promise.all(
        faults.map((fault) =>
          runFault({ stage, partners, random, onDamaged, say }, fault, (fromMs, toMs) => {
            const partnerId = partners.all[DISABLED_PARTNER]?.partnerId ?? "";
            disabled.push({ partnerId, fromMs, toMs });
          }),
        ),
      );
      const sinceEnd = startRunningTime();
      const firstCreateMs = await firstAfter(Date.now(), sinceEnd, load);
      await load.stop();
      const calls = ledger.calls.slice(callsBefore);
      const quiet = await untilDone(observer, sinceEnd);
      const samples = await sampling.stop();
      const wrongTotals = await totals.stop();
      const feedUntilMs = isShort ? Date.now() - IN_FEED_USUALLY_MS : null;
      if (!isShort) await untilInFeed(observer, readers);
      const { found, unkept } = await compare(ledger, sinceEnd, () => look(readers.look, feedUntilMs));
      const isExcused = (atMs: number) =>
        spans.some(
          (span) => isReceiver(span.fault) && atMs >= span.fromMs && atMs <= span.toMs + RETRY_WAIT_MS,
        );
      const after = countsOf(ledger, partners, readers);
      return {
        seed: random.seed,
        faults,
        isCalm,
        counts: {
          ...Object.fromEntries(
            Object.entries(after).map(([what, count]) => [what, count - (before[what] ?? 0)]),
          ),
          refused: calls.filter(isRefused).length,
          "allowed to be refused": mostRefused({ calls, spans }),
        },
        firstCreateMs,
        emptyMs: quiet.emptyMs,
        stolenMs: quiet.stolenMs,
        violations: [
          ...spans.flatMap(({ failed }) => failed),
          ...quiet.violations,
          ...wrongTotals,
          ...resumedLate(firstCreateMs, isShort),
          ...(isShort ? [] : answerViolations({ calls, spans })),
          ...stoodWhileReady(samples, isExcused),
          ...(isShort ? [] : flapping(samples, spans)),
          ...cutOffViolations(ledger.creates, spans),
          ...lateWebhooks(found.events, found.received, spans),
          ...unkept,
        ],
      };
    },
    /** Processes in order, so many at a time, under load: any answer but 200 is a violation. Of each kind so many replicas. */
    async rollingRestart(atATime: number, replicas: number): Promise<RolloutResult> {
      const balancer = startBalancer(() => gatewaysOf(stage));
      await waitFor(balancer.next, "a gateway");
      const before = new Map(ledger.statuses);
      const restarting = startRunningTime();
      const load = startLoad(() => balancer.next() ?? "", partners, ledger, false, {}, ROLLOUT);
      for (const names of inOrder(atATime, replicas)) {
        const enough = load.createdAt.length + CREATES_BETWEEN;
        await waitFor(() => load.createdAt.length >= enough, "creates to flow");
        await Promise.all(names.map(stage.restart));
      }
      await load.stop();
      await balancer.stop();
      // Where the host lets others run in place of this machine, deadlines pass that a restart leaves time for.
      const answered = [...ledger.statuses].map(
        ([what, count]) => [what, count - (before.get(what) ?? 0)] as const,
      );
      const unexpected = answered.filter(([what, count]) => !/ 200$/.test(what) && count > 0);
      const isExcused = (what: string) => restarting.isStarved() && / 503\b/.test(what);
      const failed = unexpected.filter(([what]) => !isExcused(what));
      const excused = unexpected
        .filter(([what]) => isExcused(what))
        .reduce((sum, [, count]) => sum + count, 0);
      if (excused > 0)
        say(`the host held the machine up in the rolling restart: ${excused} answers 503 are excused`);
      const sinceEnd = startRunningTime();
      const quiet = await untilDone(observer, sinceEnd);
      const { unkept } = await compare(ledger, sinceEnd, () => look(async () => [], null));
      return {
        answers: answered.reduce((sum, [, count]) => sum + count, 0),
        excused,
        violations: [
          ...failed.map(([what]) => `answered in a rolling restart: ${what}`),
          ...quiet.violations,
          ...unkept,
        ],
      };
    },
    /** The logs of its processes and servers until now, in a folder that stays. */
    keepLogs(name: string): string {
      const kept = join(tmpdir(), `pbo-lab-logs-${name}`);
      cpSync(stage.paths.logDir, kept, { recursive: true });
      return kept;
    },
    async close(): Promise<void> {
      await readers.close();
      await observer.close();
      await partners.close();
      await stage.stop();
    },
  };
}

function inTurn(gateways: readonly string[]): () => string {
  let turn = 0;
  return () => {
    turn += 1;
    return gateways[turn % gateways.length] ?? "";
  };
}

const gatewaysOf = ({ gateways, opsUrls }: LabStage) =>
  gateways.map((httpUrl, index) => ({ httpUrl, opsUrl: opsUrls.get(`gateway-${index + 1}`) ?? "" }));

/** All first replicas, then all second ones: of each kind one serves while the other is away. */
function inOrder(atATime: number, replicas: number): string[][] {
  const ends = Array.from({ length: replicas }, (_, index) => `-${index + 1}`);
  return ends
    .map((end) => LAB_PROCESSES.filter((name) => name.endsWith(end)))
    .flatMap((names) =>
      Array.from({ length: Math.ceil(names.length / atATime) }, (_, i) =>
        names.slice(i * atATime, (i + 1) * atATime),
      ),
    );
}

const isReceiver = ({ kind }: Fault): boolean => FAULT_KINDS[kind].family === "receiver";

async function runFault(
  setting: Omit<Setting, "onRegistered">,
  fault: Fault,
  onDisabled: (fromMs: number, toMs: number) => void,
) {
  await sleep(fault.atMs);
  const fromMs = Date.now();
  const failed: string[] = [];
  const onRegistered = (toMs: number) => onDisabled(fromMs, toMs);
  await inject({ ...setting, onRegistered }, fault).catch((error: Error) => {
    failed.push(`${fault.kind} did not end by itself: ${error.message}`);
  });
  return { fault, fromMs, toMs: Date.now(), failed };
}

/** In the time that this machine ran. */
async function firstAfter(endedAt: number, sinceEnd: RunningTime, load: Load): Promise<number | null> {
  const found = () => load.createdAt.find((at) => at > endedAt);
  while (found() === undefined && sinceEnd.tookMs() < FIRST_CREATE_WITHIN_MS) {
    load.probe();
    await sleep(LOOK_MS);
  }
  const at = found();
  const stolenMs = sinceEnd.tookMs() - sinceEnd.ranMs();
  await sleep(Math.max(0, LOAD_AFTER_MS - sinceEnd.tookMs()));
  return at === undefined ? null : Math.max(0, at - endedAt - stolenMs);
}

async function untilDone(
  observer: Observer,
  sinceEnd: RunningTime,
): Promise<Pick<RoundResult, "emptyMs" | "stolenMs" | "violations">> {
  let late: string[] = [];
  for (;;) {
    const rest = await observer.unfinished();
    const [tookMs, ranMs] = [sinceEnd.tookMs(), sinceEnd.ranMs()];
    const stolenMs = tookMs - ranMs;
    if (rest.length > 0 && ranMs > DONE_WITHIN_MS && late.length === 0) late = rest;
    const isOver = rest.length === 0 || ranMs > PATIENCE_MS;
    if (isOver && late.length === 0) return { emptyMs: tookMs, stolenMs, violations: [] };
    if (isOver) {
      const end =
        rest.length === 0 ? `done after ${Math.round(ranMs / 1_000)} s` : `still: ${rest.join(", ")}`;
      const told = `not done ${DONE_WITHIN_MS / 1_000} s after the last fault: ${late.join(", ")}; ${end}`;
      return { emptyMs: rest.length === 0 ? tookMs : null, stolenMs, violations: [told] };
    }
    await sleep(LOOK_MS);
  }
}

/** Resolves when the readers have all events, or late: then the comparison names what is missing. */
async function untilInFeed(observer: Observer, readers: FeedReaders): Promise<void> {
  const waiting = startRunningTime();
  const recorded = () => observer.recorded().catch(() => Number.POSITIVE_INFINITY);
  while (waiting.ranMs() < IN_FEED_WITHIN_MS && readers.count() < (await recorded())) await sleep(LOOK_MS);
}

/** A sweep repairs within its time, not immediately. */
async function compare(ledger: Ledger, sinceEnd: RunningTime, look: () => Promise<Snapshot>) {
  for (;;) {
    const found = await look();
    const unkept = violationsOf(ledger, found);
    if (unkept.length === 0 || sinceEnd.ranMs() > DONE_WITHIN_MS) return { found, unkept };
    await sleep(SAMPLE_MS);
  }
}
