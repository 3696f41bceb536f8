/** Does a fault to the stage, and resolves when it is over. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LinkMode } from "../../support/servers/link.ts";
import type { Random } from "../seeded-random.ts";
import {
  copyStore,
  deleteStream,
  flipBits,
  loseMessages,
  truncate,
  whileStopped,
  wipe,
} from "./broker-store.ts";
import type { Snapshot } from "./checker.rules.ts";
import { findFakeTime, giveFakeClock } from "./fake-clock.ts";
import { type Fault, type FaultKind, linksOf, processesOf } from "./faults.rules.ts";
import { damageOutboxes } from "./outbox-damage.ts";
import type { Partners } from "./partners.ts";
import { BAD_ANSWERS, disableAndRegister } from "./receiver-faults.ts";
import type { LabStage } from "./stage.ts";

export type Setting = {
  stage: LabStage;
  partners: Partners;
  random: Random;
  /** A partner's endpoint was disabled until this time. */
  onRegistered(atMs: number): void;
  onDamaged(damaged: Snapshot["damaged"]): void;
  say(line: string): void;
};
type Inject = (setting: Setting, fault: Fault) => Promise<void>;

const CUT_EVERY_MS = 400;
const DELAY_MS = 300;
const TRICKLE_BYTES = 512;
/** A client that loses all connections notices by its monitoring connection. */
const FORGOTTEN_SHARE = 0.5;
const SKEW_SECONDS = 30;
/** The times in events of profile say whether an endpoint was disabled then. */
const SMALL_SKEW_SECONDS = 5;
/** Forward and back, or the other way round. */
const CLOCK_MOVES = 2;
/** A signal takes effect a little later. */
const SIGNAL_MS = 50;

const linksAre =
  (mode: LinkMode): Inject =>
  async ({ stage }, { target, forMs }) => {
    const links = linksOf(target).map(stage.link);
    for (const link of links) link.set(mode);
    await sleep(forMs);
    for (const link of links) link.set("pass");
  };

const frozen: Inject = async ({ stage }, { target, forMs }) => {
  stage.process(target).kill("SIGSTOP");
  await sleep(forMs);
  stage.process(target).kill("SIGCONT");
};

/** A server's fault is over when it serves again. */
const serverKilled: Inject = async ({ stage }, { target }) => {
  stage.process(target).kill("SIGKILL");
  await sleep(SIGNAL_MS);
  await stage.process(target).start();
};

const badAnswers: Inject = async ({ partners }, { kind, forMs }) => {
  partners.receiver.answer(BAD_ANSWERS[kind] ?? 500);
  await sleep(forMs);
  partners.receiver.answer(200);
};

/** A process is ahead and another one behind; then the clocks change places, while the processes run. */
const clocksApart: Inject = async ({ stage, random, say }, { target, forMs }) => {
  const library = await findFakeTime(say);
  if (library === null) return;
  const names = processesOf(target);
  const most = target.startsWith("delivery") ? SKEW_SECONDS : SMALL_SKEW_SECONDS;
  const first = random.next() < 0.5 ? most : -most;
  const offset = (index: number) => (index % 2 === 0 ? first : -first);
  const clocks = await Promise.all(
    names.map((name, index) => giveFakeClock(stage, name, library, offset(index))),
  );
  for (let moves = 1; moves <= CLOCK_MOVES; moves += 1) {
    await sleep(forMs / (CLOCK_MOVES + 1));
    for (const [index, clock] of clocks.entries()) clock.move(offset(index + moves));
  }
  await sleep(forMs / (CLOCK_MOVES + 1));
  await Promise.all(clocks.map((clock) => clock.remove()));
};

const INJECT: Record<FaultKind, Inject> = {
  "link-cut": async ({ stage }, { target }) => {
    for (const name of linksOf(target)) stage.link(name).cut();
  },
  "link-cut-often": async ({ stage }, { target, forMs }) => {
    for (let left = forMs; left >= 0; left -= CUT_EVERY_MS) {
      for (const name of linksOf(target)) stage.link(name).cut();
      await sleep(CUT_EVERY_MS);
    }
  },
  "link-half-close": async ({ stage }, { target }) => {
    for (const name of linksOf(target)) stage.link(name).halfClose();
  },
  "link-forget": async ({ stage, random }, { target }) => {
    for (const name of linksOf(target)) stage.link(name).forget(() => random.next() < FORGOTTEN_SHARE);
  },
  "link-refuse": linksAre("refuse"),
  "link-hold": linksAre("hold"),
  "link-hold-up": linksAre("hold-up"),
  "link-hold-down": linksAre("hold-down"),
  "link-delay": linksAre({ delayMs: DELAY_MS }),
  "link-trickle": linksAre({ trickleBytes: TRICKLE_BYTES }),
  "link-cut-off": (setting, fault) =>
    linksAre(setting.random.next() < 0.5 ? "refuse" : "hold")(setting, fault),
  "process-kill": async ({ stage }, { target }) => stage.process(target).kill("SIGKILL"),
  "process-freeze": frozen,
  "process-clock": clocksApart,
  "broker-kill": serverKilled,
  "broker-freeze": frozen,
  "broker-away": ({ stage }, { forMs }) => whileStopped(stage, () => sleep(forMs)),
  "broker-wipe": ({ stage }) => wipe(stage),
  "broker-delete-stream": ({ stage }, { target }) => deleteStream(stage, target),
  "broker-lose-messages": ({ stage }, { target }) => loseMessages(stage, target),
  "broker-truncate": ({ stage }) => truncate(stage),
  "broker-flip-bits": ({ stage, random }) => flipBits(stage, random),
  "broker-roll-back": async ({ stage }, { forMs }) => {
    const rollBack = copyStore(stage);
    await sleep(forMs);
    await rollBack();
  },
  "mongod-kill": serverKilled,
  "mongod-freeze": frozen,
  "storage-kill": serverKilled,
  "storage-freeze": frozen,
  "receiver-500": badAnswers,
  "receiver-429": badAnswers,
  "receiver-hang": badAnswers,
  "receiver-reset": badAnswers,
  "receiver-slow": badAnswers,
  "receiver-half": badAnswers,
  "receiver-gone": async ({ stage, partners, onRegistered }, { forMs }) =>
    onRegistered(await disableAndRegister(stage, partners, forMs)),
  "outbox-damage": async ({ stage, onDamaged }) => onDamaged(await damageOutboxes(stage)),
};

export const inject: Inject = (setting, fault) => INJECT[fault.kind](setting, fault);
