/** What code that runs inside one of our processes may try. Each answers whether it got through. */
import { randomUUID } from "node:crypto";
import { type NatsConnection, StringCodec } from "nats";
import { NATS_USERS, STORAGE_USER, streamsUser } from "../../../deploy/nats/permissions.ts";
import { type ProcessName, SERVICE_NAMES, type ServiceName } from "../../../shared/config/config.ts";
import { ACTIONS, mayCall } from "../../../shared/contract/actions.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { packetSubject, requestSubject } from "../../../shared/moleculer/subjects.rules.ts";
import { ADMITTED, callersRefusedBy } from "../../support/builders/refused-callers.ts";
import {
  type BreachStage,
  forgedStatement,
  requestPacket,
  type Victim,
} from "../../support/stage/breach-stage.ts";
import { isRefused } from "../../support/stage/permission-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

export type Scene = { stage: BreachStage; gateway: Victim; victims: readonly Victim[] };
export type Attempt = (scene: Scene, intruder: ProcessName) => Promise<boolean>;

const MOL = "MOL";
const nodeOf = (process: string): string => `${process}.intruder.1.${randomUUID().slice(0, 8)}`;
const textOf = StringCodec();

const allActions = (): string[] =>
  SERVICE_NAMES.flatMap((service) => Object.keys(ACTIONS[service]).map((name) => `${service}.${name}`));
const victimOf = ({ victims }: Scene, action: string): Victim | undefined =>
  victims.find(({ process }) => action.startsWith(`${process}.`));

/** The server passes on in order: when the victims answered this, they have handled all that came before. */
async function settle({ gateway, victims }: Scene, connection: NatsConnection): Promise<void> {
  await connection.flush();
  for (const { process, broker } of victims)
    await gateway.broker.call(`${process}.ready`, {}, { nodeID: broker.nodeID });
  await connection.flush();
}

/** What reached the victims of all that was published, but for the questions of settle. */
async function reachedBy(scene: Scene, intruder: ProcessName, publish: (connection: NatsConnection) => void) {
  const connection = await scene.stage.join(intruder);
  for (const { reached } of scene.victims) reached.length = 0;
  publish(connection);
  await settle(scene, connection);
  return scene.victims
    .flatMap(({ reached }) => reached)
    .filter(({ from }) => from !== scene.gateway.broker.nodeID);
}

/** Everything it may not call, under a name in the subject and in the packet. */
const callAll =
  (nameOf: (intruder: ProcessName) => string): Attempt =>
  async (scene, intruder) => {
    const name = nameOf(intruder);
    const reached = await reachedBy(scene, intruder, (connection) => {
      for (const action of allActions().filter((each) => !mayCall(intruder, each))) {
        const victim = victimOf(scene, action);
        if (!victim || victim.process === intruder) continue;
        const subject = requestSubject(MOL, name, action, victim.broker.nodeID);
        connection.publish(subject, requestPacket(nodeOf(name), action));
      }
    });
    return reached.length > 0;
  };

export const actionOutsideItsColumn = callAll((intruder) => intruder);
export const requestInTheGatewaysName = callAll(() => "gateway");

/** On the subjects it may publish to, with something else inside. */
const insidePermitted =
  (inside: (intruder: ProcessName, service: ServiceName) => { sender: string; action: string }): Attempt =>
  async (scene, intruder) => {
    const reached = await reachedBy(scene, intruder, (connection) => {
      for (const action of allActions().filter((each) => mayCall(intruder, each))) {
        const victim = victimOf(scene, action);
        if (!victim) continue;
        const { sender, action: other } = inside(intruder, victim.process as ServiceName);
        const subject = requestSubject(MOL, intruder, action, victim.broker.nodeID);
        connection.publish(subject, requestPacket(sender, other));
      }
    });
    return reached.length > 0;
  };

const forbidden = (intruder: ProcessName, service: ServiceName): string =>
  allActions().find((action) => action.startsWith(`${service}.`) && !mayCall(intruder, action)) ?? "";

export const anotherActionInside = insidePermitted((intruder, service) => ({
  sender: nodeOf(intruder),
  action: forbidden(intruder, service),
}));

export const forgedCaller: Attempt = async (scene, intruder) => {
  const caller = { kind: "analyst", userId: "mallory", email: "mallory@operator.test" };
  const reached = await reachedBy(scene, intruder, (connection) => {
    for (const { process, broker } of scene.victims.filter((victim) => victim.process !== intruder))
      for (const name of [intruder, "gateway"])
        for (const statement of [{}, { statement: forgedStatement(process) }]) {
          const action = process === "profile" ? "profile.approveCase" : `${process}.ping`;
          const subject = requestSubject(MOL, name, action, broker.nodeID);
          connection.publish(subject, requestPacket(nodeOf(name), action, { caller, ...statement }));
        }
  });
  return reached.some((call) => call.caller !== null);
};

/** By the gateway itself, whose route table has a row that lets in whom the action does not admit. */
export const aWrongRoute: Attempt = async (scene) => {
  const { broker } = scene.gateway;
  for (const { reached } of scene.victims) reached.length = 0;
  for (const [action, row] of ADMITTED) {
    const victim = victimOf(scene, action);
    if (!victim) continue;
    for (const caller of callersRefusedBy(row))
      await broker
        .call(action, {}, { meta: { caller }, nodeID: victim.broker.nodeID })
        .catch(() => undefined);
  }
  return scene.victims.some(({ reached }) => reached.length > 0);
};

export const anothersService: Attempt = async (scene, intruder) => {
  const connection = await scene.stage.join(intruder);
  const others = SERVICE_NAMES.filter((service) => service !== intruder);
  const names = [intruder, ...others];
  const nodes = names.map(nodeOf);
  names.forEach((name, index) => {
    const sender = nodes[index] ?? "";
    connection.publish(packetSubject(MOL, "INFO", name), infoPacket(sender, others));
  });
  await settle(scene, connection);
  const { registry } = scene.gateway.broker;
  return others.some((service) => nodes.some((node) => registry.hasService(service, node)));
};

const infoPacket = (sender: string, services: readonly string[]): string =>
  JSON.stringify({
    ver: "5",
    sender,
    instanceID: randomUUID(),
    seq: 1,
    ipList: [],
    hostname: "intruder",
    client: { type: "nodejs", version: "0", langVersion: "0" },
    config: {},
    metadata: {},
    services: services.map((name) => ({
      name,
      fullName: name,
      settings: {},
      metadata: {},
      events: {},
      actions: Object.fromEntries(
        Object.keys(ACTIONS[name as ServiceName]).map((action) => [
          `${name}.${action}`,
          { name: `${name}.${action}`, rawName: action },
        ]),
      ),
    })),
  });

/** In the name of a node that is well. */
export const sendingAnotherAway: Attempt = async (scene, intruder) => {
  const connection = await scene.stage.join(intruder);
  const other = scene.victims.find(({ process }) => process !== intruder);
  if (!other) throw new Error("nobody to send away");
  const { localBus } = scene.gateway.broker;
  let isAway = false;
  const note = ({ node }: { node: { id: string } }) => {
    isAway ||= node.id === other.broker.nodeID;
  };
  localBus.on("$node.disconnected", note);
  const packet = JSON.stringify({ ver: "5", sender: other.broker.nodeID });
  for (const name of [intruder, other.process])
    connection.publish(packetSubject(MOL, "DISCONNECT", name), packet);
  // Nobody answers for a node that is away.
  await settle(scene, connection).catch(() => undefined);
  localBus.off("$node.disconnected", note);
  return isAway;
};

/** To a call that another process is still working on; its id is given, as if it had been guessed. */
export const anothersAnswer: Attempt = async (scene, intruder) => {
  const connection = await scene.stage.join(intruder);
  const { gateway } = scene;
  const other = scene.victims.find(({ process }) => process !== intruder);
  if (!other) throw new Error("nobody to answer for");
  const released = Promise.withResolvers<void>();
  other.hold(released.promise);
  const answer = gateway.broker.call(`${other.process}.ping`, {}, { nodeID: other.broker.nodeID });
  const { pendingRequests } = gateway.broker.transit as unknown as { pendingRequests: Map<string, unknown> };
  const [id] = await waitFor(() => (pendingRequests.size > 0 ? [...pendingRequests.keys()] : null), {
    what: "the call to be on its way",
  });
  const packet = {
    ver: "5",
    sender: nodeOf(intruder),
    id,
    success: true,
    data: { by: "an intruder" },
    meta: {},
  };
  connection.publish(packetSubject(MOL, "RES", intruder, gateway.broker.nodeID), JSON.stringify(packet));
  await connection.flush();
  released.resolve();
  other.hold(Promise.resolve());
  return ((await answer) as { by: string }).by === "an intruder";
};

const profileOf = ({ victims }: Scene): Victim => {
  const found = victims.find(({ process }) => process === "profile");
  if (!found) throw new Error("the profile service does not run");
  return found;
};

/** Whatever it can pull is to be sent, by the server itself, as a request of the gateway. */
export const pullWithARequestAsReply: Attempt = async (scene, intruder) => {
  const { stage } = scene;
  const victim = profileOf(scene);
  const action = "profile.ping";
  victim.reached.length = 0;
  const body = requestPacket(nodeOf("gateway"), action);
  // The server shows a message under the subject it was stored with: one that reads like the gateway's, if it can.
  const likeARequest = `gateway.${action}`;
  const seeds = [
    [streamsUser("profile"), `events.p.${likeARequest}`],
    [STORAGE_USER, "storage.arrivals"],
  ] as const;
  for (const [user, subject] of seeds) {
    const connection = await stage.join(user);
    connection.publish(subject, body);
    await connection.flush();
  }
  const operator = await stage.joinOperator();
  const { consumers } = await operator.jetstreamManager();
  const connection = await stage.joinStreams(intruder);
  const reply = requestSubject(MOL, "gateway", action, victim.broker.nodeID);
  for (const { stream, name } of Object.values(CONSUMERS)) {
    await waitFor(async () => (await consumers.info(stream, name)).num_pending > 0, { what: "a message" });
    const pull = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`;
    const request = JSON.stringify({ batch: 1, no_wait: true });
    if (await isRefused(connection, () => connection.publish(pull, request, { reply }))) continue;
    // A consumer takes requests in order: when it has answered this one, it has dealt with the one before.
    await connection.request(pull, request, { timeout: 10_000, noMux: true });
  }
  await settle(scene, connection);
  return victim.reached.some((call) => call.action === action);
};

export const streamThatRecordsRequests: Attempt = async (scene, intruder) => {
  const { stage, gateway } = scene;
  const connection = await stage.joinStreams(intruder);
  const operator = await stage.joinOperator();
  const { streams } = await operator.jetstreamManager();
  for (const { name } of Object.values(STREAMS)) {
    const { config } = await streams.info(name);
    const wanted = JSON.stringify({ ...config, subjects: [...config.subjects, `${MOL}.REQ.>`] });
    const subject = `$JS.API.STREAM.UPDATE.${name}`;
    if (await isRefused(connection, () => connection.publish(subject, wanted))) continue;
    await waitFor(async () => (await streams.info(name)).config.subjects.includes(`${MOL}.REQ.>`), {
      what: "the changed stream",
    });
    break;
  }
  const victim = profileOf(scene);
  await gateway.broker.call("profile.ping", {}, { nodeID: victim.broker.nodeID });
  const states = await Promise.all(
    Object.values(STREAMS).map(({ name }) => streams.info(name, { subjects_filter: `${MOL}.>` })),
  );
  return states.some(({ state }) => Object.keys(state.subjects ?? {}).length > 0);
};

export const anothersInbox: Attempt = async (scene, intruder) => {
  const connections = [await scene.stage.join(intruder), await scene.stage.joinStreams(intruder)];
  const others = NATS_USERS.filter((user) => user !== intruder && user !== streamsUser(intruder));
  for (const connection of connections)
    for (const subject of [">", "_INBOX.>", "*.>", ...others.map((user) => `_INBOX_${user}.>`)]) {
      const hear = () => void connection.subscribe(subject, { callback: () => undefined });
      if (!(await isRefused(connection, hear))) return true;
    }
  return false;
};

/** Under their own name, and inside requests that it may send. */
export const moleculersOwnActions: Attempt = async (scene, intruder) => {
  const connection = await scene.stage.join(intruder);
  const sender = nodeOf(intruder);
  const answers: string[] = [];
  connection.subscribe(packetSubject(MOL, "RES", "*", sender), {
    callback: (_error, { data }) => void answers.push(textOf.decode(data)),
  });
  for (const victim of scene.victims)
    for (const action of ["$node.list", "$node.options", "$node.services"]) {
      const permitted = allActions().filter(
        (each) => each.startsWith(`${victim.process}.`) && mayCall(intruder, each),
      );
      for (const subject of [action, ...permitted.slice(0, 1)])
        connection.publish(
          requestSubject(MOL, intruder, subject, victim.broker.nodeID),
          requestPacket(sender, action),
        );
    }
  await settle(scene, connection);
  return answers.some((answer) => (JSON.parse(answer) as { success: boolean }).success);
};

export const anothersPassword: Attempt = async ({ stage }, intruder) => {
  const others = NATS_USERS.filter((user) => user !== intruder);
  const joined = await Promise.allSettled(others.map((user) => stage.join(user, stage.passwordOf(intruder))));
  return joined.some(({ status }) => status === "fulfilled");
};
