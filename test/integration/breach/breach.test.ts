/**
 * A broken part cannot reach the others: on a nats-server with the shipped accounts, code inside each of the six processes
 * tries what it could gain by. Everything is refused, and each attempt succeeds without what stops it.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ProcessName, SERVICE_NAMES } from "../../../shared/config/config.ts";
import {
  ACCOUNT_DEFENCES,
  type AccountDefence,
  type BreachStage,
  type CodeDefence,
  type Defence,
  SIX,
  startBreachStage,
  type Victim,
} from "../../support/stage/breach-stage.ts";
import { untilKnown } from "../../support/stage/known-nodes.ts";
import {
  type Attempt,
  actionOutsideItsColumn,
  anotherActionInside,
  anothersAnswer,
  anothersInbox,
  anothersPassword,
  anothersService,
  aWrongRoute,
  forgedCaller,
  moleculersOwnActions,
  pullWithARequestAsReply,
  requestInTheGatewaysName,
  type Scene,
  sendingAnotherAway,
  streamThatRecordsRequests,
} from "./attempts.ts";

const OWN_NAME = "a process publishes under its own name, the actions of its columns only";
const OWN_INBOX = "a process hears its own inbox only";
const MIGRATION = "only the migration's user changes streams";
const APART = "calls and streams are accounts apart";
const PASSWORDS = "each user has a password of its own";
const COLUMN = "an action is called by the processes of its column";
const STATEMENT = "a caller is believed as the gateway signed it";
const ACCESS = "an action admits the callers of its row";
const NO_NODE = "Moleculer's own actions are off";
const KIND = "came on a subject of its kind";
const FROM = "is from the process its subject names";
const ACTION = "asks for the action its subject names";
const ANSWER = "answers what its sender was asked";
const OFFER = "offers only its own service";

/** What stops each, all of it; and a process that would get through without. */
const ATTEMPTS: [string, Attempt, ProcessName, readonly Defence[]][] = [
  ["a caller that it made up", forgedCaller, "gateway", [STATEMENT]],
  ["a route that is open to the wrong callers", aWrongRoute, "gateway", [ACCESS]],
  ["a request in the gateway's name", requestInTheGatewaysName, "document", [OWN_NAME]],
  ["an action outside its column", actionOutsideItsColumn, "document", [OWN_NAME, COLUMN]],
  ["another action inside a permitted request", anotherActionInside, "document", [ACTION, COLUMN]],
  ["announcing another's service", anothersService, "delivery", [OFFER]],
  ["sending another away", sendingAnotherAway, "delivery", [FROM]],
  ["answering for another", anothersAnswer, "delivery", [ANSWER]],
  ["a pull whose reply is a request", pullWithARequestAsReply, "delivery", [APART, KIND]],
  ["a stream that records requests", streamThatRecordsRequests, "delivery", [MIGRATION, APART]],
  ["reading another's inbox", anothersInbox, "delivery", [OWN_INBOX]],
  ["Moleculer's own actions", moleculersOwnActions, "document", [ACTION, COLUMN, NO_NODE]],
  ["another's password", anothersPassword, "delivery", [PASSWORDS]],
];

const isOfAccounts = (defence: Defence): defence is AccountDefence => defence in ACCOUNT_DEFENCES;

async function open(stage: BreachStage, processes: readonly ProcessName[], off: readonly CodeDefence[] = []) {
  const [gateway, ...victims] = await Promise.all(
    ["gateway" as const, ...processes].map((process) => stage.start(process, off)),
  );
  await Promise.all(
    victims.map(({ process, broker }) => untilKnown((gateway as Victim).broker, process, broker)),
  );
  return { stage, gateway: gateway as Victim, victims };
}

describe("with the shipped accounts", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await open(await startBreachStage(), SERVICE_NAMES);
  });
  afterAll(() => scene?.stage.end());

  describe.each(SIX)("code inside %s", (intruder) => {
    test.each(ATTEMPTS)("%s: refused", async (_what, attempt) => {
      expect(await attempt(scene, intruder)).toBe(false);
    });
  });

  test("while every process does its work", async () => {
    const { gateway, victims } = scene;
    for (const { process, broker } of victims)
      expect(await gateway.broker.call(`${process}.ping`, {}, { nodeID: broker.nodeID })).toEqual({
        by: process,
      });
    const caller = { kind: "analyst", userId: "ada", email: "ada@operator.test" };
    await gateway.broker.call("profile.approveCase", {}, { meta: { caller } });
    const profile = victims.find(({ process }) => process === "profile");
    expect(profile?.reached.at(-1)).toMatchObject({ action: "profile.approveCase", caller });
  });
});

/** Attempts that several defences stop: each defence alone is enough. */
const LAYERED = ATTEMPTS.filter(([, , , defences]) => defences.length > 1).flatMap(
  ([what, attempt, intruder, defences]) =>
    defences.map((kept) => ({
      what,
      attempt,
      intruder,
      kept,
      taken: defences.filter((one) => one !== kept),
    })),
);

describe("without a defence", () => {
  const stages = new Map<string, Promise<BreachStage>>();
  const scenes = new Map<string, Scene>();

  function stageWithout(taken: readonly AccountDefence[]): Promise<BreachStage> {
    const found = stages.get(taken.join()) ?? startBreachStage(taken);
    stages.set(taken.join(), found);
    return found;
  }
  async function prepare(taken: readonly Defence[]): Promise<void> {
    const stage = await stageWithout(taken.filter(isOfAccounts));
    const off = taken.filter((defence): defence is CodeDefence => !isOfAccounts(defence));
    scenes.set(taken.join(), await open(stage, ["profile"], off));
  }
  const without = (taken: readonly Defence[]): Scene => scenes.get(taken.join()) as Scene;

  beforeAll(async () => {
    const all = [...ATTEMPTS.map(([, , , defences]) => defences), ...LAYERED.map(({ taken }) => taken)];
    const different = new Map(all.map((taken) => [taken.join(), taken]));
    await Promise.all([...different.values()].map(prepare));
  });
  afterAll(async () => {
    await Promise.all([...stages.values()].map(async (stage) => (await stage).end()));
  });

  test.each(ATTEMPTS)("%s: gets through", async (_what, attempt, intruder, defences) => {
    expect(await attempt(without(defences), intruder)).toBe(true);
  });

  test.each(LAYERED)("$what: refused while $kept", async ({ attempt, intruder, taken }) => {
    expect(await attempt(without(taken), intruder)).toBe(false);
  });
});
