/** NATS users and their permissions with least privilege, derived from the tables of actions, streams and broadcasts. */
import { type ProcessName, SERVICE_NAMES, type ServiceName } from "../../shared/config/config.ts";
import type { ActionRow } from "../../shared/contract/actions/action.ts";
import { ACTIONS } from "../../shared/contract/actions.ts";
import {
  CONSUMERS,
  type ConsumerSpec,
  STREAMS,
  type StreamName,
  storageSubject,
  streamName,
  subjectName,
} from "../../shared/jetstream/streams.ts";
import {
  heardSubject,
  packetSubject,
  requestSubject,
  subjectPrefix,
} from "../../shared/moleculer/subjects.rules.ts";
import { hashedPasswords } from "./password-hashes.ts";
import { BROADCASTS, STREAM_RIGHTS } from "./rights.ts";

export type Permissions = { publish: string[]; subscribe: string[] };

/** Two accounts, which share no subject: JetStream can neither send nor record a request. */
export const RPC_ACCOUNT = "PBO_RPC";
export const STREAMS_ACCOUNT = "PBO";
const SYSTEM_ACCOUNT = "SYS";
/** Creates and changes streams and consumers, in the job before a release is rolled out. */
export const MIGRATION_USER = "migration";
/** Storage, or its bridge, which publishes notifications of uploaded files. */
export const STORAGE_USER = "storage";
/** For operators: reads the server's state. */
const SYSTEM_USER = "system";
/** For operators: manages streams and consumers. */
export const OPERATOR_USER = "operator";
/** Users that are not our processes. */
export const NATS_PEOPLE = [STORAGE_USER, SYSTEM_USER, OPERATOR_USER] as const;

export const PROCESSES: readonly ProcessName[] = ["gateway", "admin", ...SERVICE_NAMES];
export const STREAM_PROCESSES = PROCESSES.filter((process) => STREAM_RIGHTS[process].streams.length > 0);

export const streamsUser = (process: string): string => `${process}-streams`;

export const NATS_USERS: readonly string[] = [
  ...PROCESSES,
  ...STREAM_PROCESSES.map(streamsUser),
  MIGRATION_USER,
  STORAGE_USER,
  SYSTEM_USER,
  OPERATOR_USER,
];

/** The same rights under a second name, if it has a password: during a rotation both passwords work. */
export const secondUser = (user: string): string => `${user}-2`;

const ownInbox = (user: string): string => `_INBOX_${user}.>`;

/** Calls between processes. */
export const rpcPermissions = (
  process: ProcessName,
  namespace = "",
  user: string = process,
): Permissions => ({
  publish: callSubjects(process, namespace),
  subscribe: [...ownSubjects(process, namespace), ownInbox(user)],
});

/** Streams. A process can recreate lost or damaged streams of its own, but cannot change them. */
export const streamsPermissions = (
  process: ProcessName,
  namespace = "",
  user = streamsUser(process),
): Permissions => ({
  publish: streamSubjects(process, namespace),
  subscribe: [ownInbox(user)],
});

const migrationPermissions = (namespace: string, user: string): Permissions => ({
  publish: [
    ...(Object.keys(STREAMS) as StreamName[]).flatMap((stream) =>
      ["INFO", "CREATE", "UPDATE"].map((verb) => `${API}.STREAM.${verb}.${streamName(namespace, stream)}`),
    ),
    ...Object.values(CONSUMERS)
      .map((consumer) => place(consumer, namespace))
      .flatMap(({ stream, name }) => [
        `${API}.CONSUMER.CREATE.${stream}.${name}.>`,
        `${API}.CONSUMER.INFO.${stream}.${name}`,
      ]),
  ],
  subscribe: [ownInbox(user)],
});

const API = "$JS.API";

const DISCOVERY = ["DISCOVER", "INFO", "HEARTBEAT", "DISCONNECT", "PING"] as const;
const DISCOVERY_OF_ONE = ["DISCOVER", "INFO", "PING", "PONG"] as const;

/** Only under its own name, and only the actions whose column names it. */
function callSubjects(process: ProcessName, namespace: string): string[] {
  const mol = subjectPrefix(namespace);
  const toAll = (type: string) => packetSubject(mol, type, process);
  const toOne = (type: string, target: string) => packetSubject(mol, type, process, target);
  const heard = BROADCASTS.filter(({ from }) => from === process).flatMap(({ to }) => to);
  return [
    ...actionsCalledBy(process).map(([service, action]) =>
      requestSubject(mol, process, `${service}.${action}`, `${service}.>`),
    ),
    ...callersOf(process).map((caller) => toOne("RES", `${caller}.>`)),
    ...[...new Set(heard)].map((listener) => toOne("EVENT", `${listener}.>`)),
    ...DISCOVERY.map(toAll),
    ...DISCOVERY_OF_ONE.map((type) => toOne(type, ">")),
  ];
}

/** Node ids begin with the process name, so a subject identifies the process it is addressed to. */
function ownSubjects(process: ProcessName, namespace: string): string[] {
  const mol = subjectPrefix(namespace);
  return [
    ...["EVENT", "REQ", "RES", ...DISCOVERY_OF_ONE].map((type) => heardSubject(mol, type, `${process}.>`)),
    ...DISCOVERY.map((type) => heardSubject(mol, type)),
  ];
}

const columns = (service: ServiceName): [string, readonly ProcessName[]][] =>
  Object.entries<ActionRow>(ACTIONS[service]).map(([name, { processes }]) => [name, processes]);

const callersOf = (process: ProcessName): ProcessName[] =>
  process in ACTIONS ? [...new Set(columns(process as ServiceName).flatMap(([, callers]) => callers))] : [];

const actionsCalledBy = (process: ProcessName): [ServiceName, string][] =>
  SERVICE_NAMES.flatMap((service) =>
    columns(service)
      .filter(([, callers]) => callers.includes(process))
      .map(([action]): [ServiceName, string] => [service, action]),
  );

function streamSubjects(process: ProcessName, namespace: string): string[] {
  const { streams, consumers, watches, publishes } = STREAM_RIGHTS[process];
  return [
    ...publishes.map((subject) => subjectName(namespace, subject)),
    ...streams
      .map((stream) => streamName(namespace, stream))
      .flatMap((stream) => ["INFO", "CREATE"].map((verb) => `${API}.STREAM.${verb}.${stream}`)),
    // A stalled stream is recreated by the process that consumes it.
    ...new Set(consumers.map(({ stream }) => `${API}.STREAM.DELETE.${streamName(namespace, stream)}`)),
    ...consumers
      .map((consumer) => place(consumer, namespace))
      .flatMap(({ stream, name }) => [
        `${API}.CONSUMER.CREATE.${stream}.${name}.>`,
        `${API}.CONSUMER.INFO.${stream}.${name}`,
        `${API}.CONSUMER.MSG.NEXT.${stream}.${name}`,
        `$JS.ACK.${stream}.${name}.>`,
      ]),
    ...watches
      .map((consumer) => place(consumer, namespace))
      .map(({ stream, name }) => `${API}.CONSUMER.INFO.${stream}.${name}`),
  ];
}

const place = ({ stream, name }: ConsumerSpec, namespace: string) => ({
  stream: streamName(namespace, stream),
  name,
});

/** MinIO's client uses the default inbox prefix; none of our processes subscribes to it. */
const storagePermissions = (namespace: string): Permissions => ({
  publish: [storageSubject(namespace)],
  subscribe: ["_INBOX.>"],
});

/** For people only: creating consumers allows reading a whole stream and sending it to any subject. */
const operatorPermissions = (user: string): Permissions => ({
  publish: ["$JS.API.>"],
  subscribe: [ownInbox(user)],
});

export type Account = {
  name: string;
  jetstream: boolean;
  users: { user: string; password: string; permissions?: Permissions }[];
};

/** nats-server takes passwords in the clear and bcrypt hashes; an installation gives it hashes (accountsConfig). */
export function accountsOf(passwords: ReadonlyMap<string, string>, namespace = ""): Account[] {
  const users = (name: string, permissions?: (user: string) => Permissions) => {
    const named = [name, secondUser(name)].filter((user) => passwords.get(user));
    if (named.length === 0) throw new Error(`No password for the NATS user ${name}.`);
    return named.map((user) => ({
      user,
      password: passwords.get(user) ?? "",
      ...(permissions ? { permissions: permissions(user) } : {}),
    }));
  };
  return [
    {
      name: RPC_ACCOUNT,
      jetstream: false,
      users: PROCESSES.flatMap((process) =>
        users(process, (user) => rpcPermissions(process, namespace, user)),
      ),
    },
    {
      name: STREAMS_ACCOUNT,
      jetstream: true,
      users: [
        ...STREAM_PROCESSES.flatMap((process) =>
          users(streamsUser(process), (user) => streamsPermissions(process, namespace, user)),
        ),
        ...users(MIGRATION_USER, (user) => migrationPermissions(namespace, user)),
        ...users(STORAGE_USER, () => storagePermissions(namespace)),
        ...users(OPERATOR_USER, operatorPermissions),
      ],
    },
    { name: SYSTEM_ACCOUNT, jetstream: false, users: users(SYSTEM_USER) },
  ];
}

/** For the servers of an installation, from passwords or their hashes. */
export async function accountsConfig(
  passwords: ReadonlyMap<string, string>,
  namespace = "",
): Promise<string> {
  return renderAccounts(accountsOf(await hashedPasswords(passwords), namespace));
}

export const renderAccounts = (accounts: readonly Account[]): string =>
  ["accounts {", ...accounts.map(renderAccount), "}", `system_account: ${SYSTEM_ACCOUNT}`, ""].join("\n");

const renderAccount = ({ name, jetstream, users }: Account): string =>
  [
    `  ${name} {`,
    ...(jetstream ? ["    jetstream: enabled"] : []),
    `    users: [\n      ${users.map(renderUser).join("\n      ")}\n    ]`,
    "  }",
  ].join("\n");

const renderUser = ({ permissions, ...user }: Account["users"][number]): string =>
  JSON.stringify({
    ...user,
    ...(permissions
      ? {
          permissions: {
            publish: { allow: permissions.publish },
            subscribe: { allow: permissions.subscribe },
          },
        }
      : {}),
  });
