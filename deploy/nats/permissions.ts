/**
 * NATS permissions with least privilege, derived from the tables of actions, streams and broadcasts.
 * `node deploy/nats/permissions.ts <folder of passwords>` prints the accounts for nats-server.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ACTIONS } from "../../shared/actions.ts";
import { type ProcessName, SERVICE_NAMES, type ServiceName } from "../../shared/config/config.ts";
import {
  type ConsumerSpec,
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
import { BROADCASTS, STREAM_RIGHTS } from "./rights.ts";

export type Permissions = { publish: string[]; subscribe: string[] };

export const NATS_ACCOUNT = "PBO";
/** MinIO, which publishes notices of uploaded files. */
export const STORAGE_USER = "storage";
/** For operators: reads the server's state. */
const SYSTEM_USER = "system";
/** For operators: manages streams and consumers. */
export const OPERATOR_USER = "operator";

export const PROCESSES: readonly ProcessName[] = ["gateway", "admin", ...SERVICE_NAMES];
export const NATS_USERS: readonly string[] = [...PROCESSES, STORAGE_USER, SYSTEM_USER, OPERATOR_USER];

export function permissionsOf(process: ProcessName, namespace = ""): Permissions {
  return {
    publish: [...callSubjects(process, namespace), ...streamSubjects(process, namespace)],
    subscribe: [...ownSubjects(process, namespace), `_INBOX_${process}.>`],
  };
}

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

const columns = (service: ServiceName) => Object.entries<readonly ProcessName[]>(ACTIONS[service]);

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
  const api = "$JS.API";
  return [
    ...publishes.map((subject) => subjectName(namespace, subject)),
    ...streams
      .map((stream) => streamName(namespace, stream))
      .flatMap((stream) => ["INFO", "CREATE", "UPDATE"].map((verb) => `${api}.STREAM.${verb}.${stream}`)),
    // A stream that stands still is made anew by the process that takes from it.
    ...new Set(consumers.map(({ stream }) => `${api}.STREAM.DELETE.${streamName(namespace, stream)}`)),
    ...consumers
      .map((consumer) => place(consumer, namespace))
      .flatMap(({ stream, name }) => [
        `${api}.CONSUMER.CREATE.${stream}.${name}.>`,
        `${api}.CONSUMER.INFO.${stream}.${name}`,
        `${api}.CONSUMER.MSG.NEXT.${stream}.${name}`,
        `$JS.ACK.${stream}.${name}.>`,
      ]),
    ...watches
      .map((consumer) => place(consumer, namespace))
      .map(({ stream, name }) => `${api}.CONSUMER.INFO.${stream}.${name}`),
  ];
}

const place = ({ stream, name }: ConsumerSpec, namespace: string) => ({
  stream: streamName(namespace, stream),
  name,
});

/** MinIO's client uses the default inbox prefix, which none of our processes subscribes to. */
const storagePermissions = (namespace: string): Permissions => ({
  publish: [storageSubject(namespace)],
  subscribe: ["_INBOX.>"],
});

/** Creating consumers allows reading a whole stream and sending it to any subject: for people, not for a process. */
const OPERATOR_PERMISSIONS: Permissions = {
  publish: ["$JS.API.>"],
  subscribe: [`_INBOX_${OPERATOR_USER}.>`],
};

/** Passwords may be plain or bcrypt hashes; nats-server accepts both. */
export function accountsConfig(passwords: ReadonlyMap<string, string>, namespace = ""): string {
  const user = (name: string, permissions?: Permissions) => {
    const password = passwords.get(name);
    if (!password) throw new Error(`No password for the NATS user ${name}.`);
    return JSON.stringify({
      user: name,
      password,
      ...(permissions ? { permissions: allowed(permissions) } : {}),
    });
  };
  const users = [
    ...PROCESSES.map((process) => user(process, permissionsOf(process, namespace))),
    user(STORAGE_USER, storagePermissions(namespace)),
    user(OPERATOR_USER, OPERATOR_PERMISSIONS),
  ];
  return [
    "accounts {",
    `  ${NATS_ACCOUNT} {`,
    "    jetstream: enabled",
    `    users: [\n      ${users.join("\n      ")}\n    ]`,
    "  }",
    `  SYS { users: [${user(SYSTEM_USER)}] }`,
    "}",
    "system_account: SYS",
    "",
  ].join("\n");
}

const allowed = ({ publish, subscribe }: Permissions) => ({
  publish: { allow: publish },
  subscribe: { allow: subscribe },
});

if (import.meta.main) {
  const [folder, namespace = ""] = process.argv.slice(2);
  if (!folder) throw new Error("Give the folder that holds a password file per user.");
  const passwords = new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8").trim()] as const),
  );
  process.stdout.write(accountsConfig(passwords, namespace));
}
