/**
 * Stand-ins for our processes on a nats-server with the shipped accounts, for a test that acts as a process that was
 * broken into. Each defence can be taken away, to show that it is the one that stops an attempt.
 */
import { randomUUID } from "node:crypto";
import { type Context, ServiceBroker } from "moleculer";
import { connect, type NatsConnection } from "nats";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import {
  type Account,
  accountsOf,
  MIGRATION_USER,
  NATS_USERS,
  OPERATOR_USER,
  RPC_ACCOUNT,
  renderAccounts,
  STREAM_PROCESSES,
  STREAMS_ACCOUNT,
  streamsUser,
} from "../../../deploy/nats/permissions.ts";
import { loadConfig, type ProcessName, SERVICE_NAMES } from "../../../shared/config/config.ts";
import { ACTIONS, mayCall } from "../../../shared/contract/actions.ts";
import type { Caller, CallMeta } from "../../../shared/identity/caller.ts";
import { createStatementReader, createStatementSigner } from "../../../shared/identity/caller-statement.ts";
import { createJetStream } from "../../../shared/jetstream/jetstream.ts";
import { natsOptions } from "../../../shared/jetstream/nats-options.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { accessOf } from "../../../shared/moleculer/action-access.rules.ts";
import { admitCall } from "../../../shared/moleculer/admit-call.ts";
import { BoundTransporter } from "../../../shared/moleculer/bound-transporter.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import { PACKET_CHECKS, type PacketCheckName } from "../../../shared/moleculer/subjects.rules.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { startOwnNats } from "../servers/own-nats.ts";

/** Defences of the accounts: the server of a stage starts with or without each. */
export const ACCOUNT_DEFENCES = {
  "a process publishes under its own name, the actions of its columns only": (accounts: Account[]) =>
    edit(accounts, RPC_ACCOUNT, ({ publish }) => publish.push(">")),
  "a process hears its own inbox only": (accounts: Account[]) => {
    for (const { name } of accounts) edit(accounts, name, ({ subscribe }) => subscribe.push(">"));
  },
  "only the migration's user changes streams": (accounts: Account[]) =>
    edit(accounts, STREAMS_ACCOUNT, ({ publish }) => publish.push("$JS.API.STREAM.UPDATE.*")),
  "calls and streams are accounts apart": (accounts: Account[]) => {
    const [rpc, streams] = [RPC_ACCOUNT, STREAMS_ACCOUNT].map((name) =>
      accounts.find((one) => one.name === name),
    );
    streams?.users.push(...(rpc?.users.splice(0) ?? []));
  },
  "each user has a password of its own": (accounts: Account[]) => {
    for (const user of accounts.flatMap(({ users }) => users)) user.password = "the same";
  },
} as const;
export type AccountDefence = keyof typeof ACCOUNT_DEFENCES;
export type CodeDefence =
  | PacketCheckName
  | "an action is called by the processes of its column"
  | "a caller is believed as the gateway signed it"
  | "an action admits the callers of its row"
  | "Moleculer's own actions are off";
export type Defence = AccountDefence | CodeDefence;

const FIELD_KEYS = Object.fromEntries(
  ["IDENTITY", "TOKEN", "WEBHOOK"].map((set) => [
    `PBO_${set}_KEYS`,
    `unused:${Buffer.alloc(32, 1).toString("base64")}`,
  ]),
);

/** The processes that an intruder may be in. */
export const SIX: readonly ProcessName[] = ["gateway", ...SERVICE_NAMES];

type Permissions = { publish: string[]; subscribe: string[] };
const edit = (
  accounts: readonly Account[],
  name: string,
  change: (permissions: Permissions) => void,
): void => {
  for (const { permissions } of accounts.find((account) => account.name === name)?.users ?? [])
    if (permissions) change(permissions);
};

export type Reached = { action: string; from: string; caller: Caller | null };
export type Victim = {
  process: ProcessName;
  broker: ServiceBroker;
  reached: Reached[];
  /** Its service answers no more until then. */
  hold(until: Promise<unknown>): void;
};
export type BreachStage = Awaited<ReturnType<typeof startBreachStage>>;

export async function startBreachStage(without: readonly AccountDefence[] = []) {
  const passwordOf = (user: string) => `password of ${user}`;
  // A copy: what is taken away here must not be missing elsewhere.
  const accounts = structuredClone(accountsOf(new Map(NATS_USERS.map((user) => [user, passwordOf(user)]))));
  for (const defence of without) ACCOUNT_DEFENCES[defence](accounts);
  const known = new Map(accounts.flatMap(({ users }) => users).map(({ user, password }) => [user, password]));
  const nats = await startOwnNats(renderAccounts(accounts));
  const keys = newGatewayKeys();
  const brokers: ServiceBroker[] = [];
  const connections: NatsConnection[] = [];

  const configOf = (process: ProcessName, streamUser = streamsUser(process)) =>
    loadConfig(process, {
      PBO_ENV: "local",
      PBO_NATS_URL: nats.url,
      PBO_NATS_USER: process,
      PBO_NATS_PASSWORD: known.get(process),
      PBO_NATS_STREAMS_USER: streamUser,
      PBO_NATS_STREAMS_PASSWORD: known.get(streamUser),
      PBO_MONGODB_URI: "mongodb://unused",
      ...FIELD_KEYS,
      PBO_GATEWAY_PRIVATE_KEY: keys.privateKey,
      PBO_GATEWAY_PUBLIC_KEYS: keys.publicKey,
      PBO_BASE_URL: "http://127.0.0.1",
      PBO_S3_BUCKET: "unused",
      PBO_LOG_LEVEL: "silent",
    });

  /** As a release does it, with the migration's user. */
  async function makeStreams(): Promise<void> {
    const config = configOf("delivery", MIGRATION_USER);
    const logger = createLogger(config);
    const jetstream = createJetStream({ config, logger, metrics: createMetrics("delivery") });
    await jetstream.connect();
    await jetstream.ensure(Object.values(STREAMS), Object.values(CONSUMERS));
    await jetstream.close();
  }
  await makeStreams();

  async function join(user: string, password = known.get(user) ?? ""): Promise<NatsConnection> {
    const server = { servers: new URL(nats.url).host, reconnect: false, maxReconnectAttempts: 0 };
    const connection = await connect({ ...server, user, pass: password, inboxPrefix: `_INBOX_${user}` });
    connections.push(connection);
    return connection;
  }

  return {
    passwordOf: (user: string) => known.get(user) ?? "",
    join,
    /** The streams' user of a process, or the user of its calls where it has no streams. */
    joinStreams: (process: ProcessName) =>
      join(STREAM_PROCESSES.includes(process) ? streamsUser(process) : process),
    joinOperator: () => join(OPERATOR_USER),

    /** A process with the real broker; its service answers everything and notes what reached it. */
    async start(process: ProcessName, off: readonly CodeDefence[] = []): Promise<Victim> {
      const config = configOf(process);
      const options = brokerOptions({ ...config, gatewayPrivateKey: null });
      const clock = { now: Date.now };
      const isOpen = off.includes("Moleculer's own actions are off");
      const { gatewayPrivateKey: key, gatewayPublicKeys } = config;
      const sign = process === "gateway" && key ? createStatementSigner({ key, clock }) : undefined;
      const checks = (Object.keys(PACKET_CHECKS) as PacketCheckName[]).filter(
        (check) => !off.includes(check),
      );
      // A node with Moleculer's own actions offers more than its own, and would not be heard of.
      if (isOpen) checks.splice(checks.indexOf("offers only its own service"), 1);
      const read = off.includes("a caller is believed as the gateway signed it")
        ? unchecked
        : createStatementReader({ keys: gatewayPublicKeys, service: process, clock });
      const column = off.includes("an action is called by the processes of its column")
        ? () => true
        : mayCall;
      const access = off.includes("an action admits the callers of its row")
        ? () => ({ anyone: true })
        : accessOf;
      const reached: Reached[] = [];
      let held: Promise<unknown> | null = null;
      const broker = new ServiceBroker({
        ...options,
        transporter: new BoundTransporter(natsOptions(config, "rpc"), { sign, checks }) as never,
        middlewares: [admitCall({ column, access, read }), ...(options.middlewares ?? []).slice(1)],
        internalServices: isOpen,
        heartbeatInterval: 30,
        heartbeatTimeout: 300,
      });
      brokers.push(broker);
      const service = SERVICE_NAMES.find((name) => name === process);
      if (service) broker.createService(standIn(service, reached, () => held));
      await broker.start();
      return {
        process,
        broker,
        reached,
        hold: (until) => {
          held = until;
        },
      };
    },

    async end() {
      await Promise.all(connections.map((connection) => connection.close()));
      await Promise.all(brokers.map((broker) => broker.stop()));
      await nats.end();
    },
  };
}

const standIn = (process: keyof typeof ACTIONS, reached: Reached[], held: () => Promise<unknown> | null) => ({
  name: process,
  actions: Object.fromEntries(
    Object.keys(ACTIONS[process]).map((name) => [
      name,
      async ({ nodeID, meta }: Context<unknown, CallMeta>) => {
        reached.push({ action: `${process}.${name}`, from: nodeID ?? "", caller: meta.caller });
        await held();
        return { by: process };
      },
    ]),
  ),
});

/** The claims of a statement without a check of its signature. */
const unchecked = (statement: string): Caller =>
  (JSON.parse(Buffer.from(statement.split(".")[0] ?? "", "base64url").toString()) as { caller: Caller })
    .caller;

export const requestPacket = (sender: string, action: string, meta: object = {}): string =>
  JSON.stringify({ ver: "5", sender, id: randomUUID(), action, params: {}, meta, level: 1, tracing: false });

/** A statement about an analyst, signed by nobody. */
export const forgedStatement = (service: string): string => {
  const caller: Caller = { kind: "analyst", userId: "mallory", email: "mallory@operator.test" };
  const claims = Buffer.from(JSON.stringify({ caller, service, at: Date.now() })).toString("base64url");
  return `${claims}.${Buffer.alloc(64, 7).toString("base64url")}`;
};
