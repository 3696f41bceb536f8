/** Does a fault to the stage, and resolves when it is over. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LinkMode } from "../../support/servers/link.ts";
import type { Random } from "../seeded-random.ts";
import {
  copyStore,
  deleteStream,
  flipBits,
  loseEvents,
  loseMessages,
  repeatNotifications,
  truncate,
  whileStopped,
  wipe,
} from "./broker-store.ts";
import type { Snapshot } from "./checker.rules.ts";
import { findFakeTime, giveFakeClock } from "./fake-clock.ts";
import { type Fault, type FaultKind, linksOf, processesOf } from "./faults.rules.ts";
import { damageOutboxes } from "./outbox-damage.ts";
import type { Partners } from "./partners.ts";
import { BAD_ANSWERS, disableAndRegister, withExpiredCertificate, withoutNames } from "./receiver-faults.ts";
import { newFieldKey, newUser } from "./rotations.ts";
import { fullDisk, isolated, killed, slowed, steppedDown } from "./server-faults.ts";
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
export type Inject = (setting: Setting, fault: Fault) => Promise<void>;

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

const wiresOf = (stage: LabStage, target: string) => linksOf(target).flatMap(stage.wires);

const linksAre =
  (mode: LinkMode): Inject =>
  async ({ stage }, { target, forMs }) => {
    const wires = wiresOf(stage, target);
    for (const wire of wires) wire.set(mode);
    await sleep(forMs);
    for (const wire of wires) wire.set("pass");
  };

const refusedOrHeld: Inject = (setting, fault) =>
  linksAre(setting.random.next() < 0.5 ? "refuse" : "hold")(setting, fault);

/** On a cluster the target may be a role: the server is the one that has it now. */
const onServer =
  (change: (setting: Setting, server: string, forMs: number) => Promise<void>): Inject =>
  async (setting, { target, forMs }) => {
    const { stage, random } = setting;
    const [server = target] = (await stage.cluster?.inRole(target, random)) ?? [];
    await change(setting, server, forMs);
  };

const frozen = onServer(async ({ stage }, name, forMs) => {
  stage.process(name).kill("SIGSTOP");
  await sleep(forMs);
  stage.process(name).kill("SIGCONT");
});

const storageIs =
  (mode: Parameters<LabStage["storage"]["set"]>[0]): Inject =>
  async ({ stage }, { forMs }) => {
    stage.storage.set(mode);
    await sleep(forMs);
    stage.storage.set("pass");
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
    for (const wire of wiresOf(stage, target)) wire.cut();
  },
  "link-cut-often": async ({ stage }, { target, forMs }) => {
    for (let left = forMs; left >= 0; left -= CUT_EVERY_MS) {
      for (const wire of wiresOf(stage, target)) wire.cut();
      await sleep(CUT_EVERY_MS);
    }
  },
  "link-half-close": async ({ stage }, { target }) => {
    for (const wire of wiresOf(stage, target)) wire.halfClose();
  },
  "link-forget": async ({ stage, random }, { target }) => {
    for (const wire of wiresOf(stage, target)) wire.forget(() => random.next() < FORGOTTEN_SHARE);
  },
  "link-refuse": linksAre("refuse"),
  "link-hold": linksAre("hold"),
  "link-hold-up": linksAre("hold-up"),
  "link-hold-down": linksAre("hold-down"),
  "link-delay": linksAre({ delayMs: DELAY_MS }),
  "link-trickle": linksAre({ trickleBytes: TRICKLE_BYTES }),
  "link-cut-off": refusedOrHeld,
  "link-member": refusedOrHeld,
  "process-kill": async ({ stage }, { target }) => stage.process(target).kill("SIGKILL"),
  "process-freeze": frozen,
  "process-clock": clocksApart,
  "process-rollout": async ({ stage }, { target }) => {
    for (const name of processesOf(target)) {
      await stage.process(name).stop();
      stage.switchVersion(name);
      await stage.process(name).start();
    }
  },
  "process-field-key": newFieldKey,
  "process-user": newUser,
  "broker-kill": killed,
  "broker-freeze": frozen,
  "broker-slow": onServer(slowed),
  "broker-away": onServer(({ stage }, server, forMs) => whileStopped(stage, server, () => sleep(forMs))),
  "broker-quorum": killed,
  "broker-all": killed,
  "broker-routes": onServer(isolated),
  "broker-full-disk": onServer(fullDisk),
  "broker-wipe": onServer(({ stage }, server) => wipe(stage, server)),
  "broker-delete-stream": ({ stage }, { target }) => deleteStream(stage, target),
  "broker-lose-messages": ({ stage }, { target }) => loseMessages(stage, target),
  "broker-lose-events": onServer(({ stage, random }, server) => loseEvents(stage, server, random)),
  "broker-truncate": onServer(({ stage }, server) => truncate(stage, server)),
  "broker-flip-bits": onServer(({ stage, random }, server) => flipBits(stage, server, random)),
  "broker-roll-back": onServer(async ({ stage }, server, forMs) => {
    const rollBack = copyStore(stage, server);
    await sleep(forMs);
    await rollBack();
  }),
  "mongod-kill": killed,
  "mongod-freeze": frozen,
  "mongod-slow": onServer(slowed),
  "mongod-stepdown": steppedDown,
  "mongod-two-away": killed,
  "mongod-partition": onServer(isolated),
  "mongod-full-disk": onServer(fullDisk),
  "storage-kill": killed,
  "storage-freeze": frozen,
  "storage-503": storageIs("503"),
  "storage-cut": storageIs("cut"),
  "storage-damage": storageIs("damage"),
  "storage-repeat": ({ stage }, { forMs }) => repeatNotifications(stage, forMs),
  "receiver-500": badAnswers,
  "receiver-429": badAnswers,
  "receiver-hang": badAnswers,
  "receiver-reset": badAnswers,
  "receiver-slow": badAnswers,
  "receiver-half": badAnswers,
  "receiver-drip": badAnswers,
  "receiver-huge": badAnswers,
  "receiver-redirect": badAnswers,
  "receiver-expired": ({ stage, partners }, { forMs }) => withExpiredCertificate(stage, partners, forMs),
  "receiver-no-dns": ({ stage, partners }, fault) => withoutNames(stage, partners, fault),
  "receiver-gone": async ({ stage, partners, onRegistered }, { forMs }) =>
    onRegistered(await disableAndRegister(stage, partners, forMs)),
  "outbox-damage": async ({ stage, onDamaged }) => onDamaged(await damageOutboxes(stage)),
  "database-migration": ({ stage }) => stage.migrate(),
};

export const inject: Inject = (setting, fault) => INJECT[fault.kind](setting, fault);
