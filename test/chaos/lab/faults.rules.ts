/** Kinds of faults as values: their targets and durations. */
import { PROCESS_NAMES } from "../../../deploy/local/services/service-env.ts";

export type Server = "mongod" | "nats" | "s3";
type Family = "link" | "process" | "broker" | "mongod" | "storage" | "receiver" | "outbox";
/** The stage has one of each server, or three MongoDB members and three NATS servers. */
export type StageKind = "single" | "cluster";

export type Fault = { kind: FaultKind; target: string; atMs: number; forMs: number };

type Way = { targets: readonly string[]; forMs: readonly [least: number, most: number] };
/** Without targets it is a kind of the cluster only. `cluster`: there, in place of the rest. */
type Kind = Way & { family: Family; cluster?: Way };

const REPLICAS = [1, 2];
export const LAB_PROCESSES = PROCESS_NAMES.flatMap((name) => REPLICAS.map((replica) => `${name}-${replica}`));

const serversOf = (process: string): readonly Server[] => {
  if (process.startsWith("gateway")) return ["nats"];
  return process.startsWith("document") ? ["nats", "mongod", "s3"] : ["nats", "mongod"];
};
export const LAB_LINKS = LAB_PROCESSES.flatMap((process) =>
  serversOf(process).map((server) => `${process}>${server}`),
);

/**
 * A target that ends in the name of a server may begin with a star: so much of a process's name is left open. With a
 * number: the links to that member alone.
 */
export const linksOf = (target: string): readonly string[] => {
  const [process = "", server = ""] = target.split(">");
  const begin = process.replace("*", "");
  const [name, member] = server.split("-");
  const links = LAB_LINKS.filter((link) => link.startsWith(begin) && link.endsWith(`>${name}`));
  return member === undefined ? links : links.map((link) => `${link}-${member}`);
};

export const processesOf = (target: string): readonly string[] =>
  LAB_PROCESSES.filter(
    (name) => name === target || (target.endsWith("*") && name.startsWith(target.slice(0, -1))),
  );

/** Events take their way through these; the others are a round's fault less often. */
const BUSY_LINKS = ["delivery-*>mongod", "delivery-*>nats", "profile-*>mongod", "profile-*>nats"];
const LINK_TARGETS = [
  ...LAB_LINKS,
  ...["*>mongod", "*>mongod", "*>nats", "*>nats"],
  ...[...BUSY_LINKS, ...BUSY_LINKS, ...BUSY_LINKS, "webhook-registry-*>nats"],
];
const MEMBERS = [0, 1, 2];
const MEMBER_LINKS = ["*", "profile-*", "delivery-*", "delivery-1"].flatMap((process) =>
  MEMBERS.flatMap((member) => [`${process}>mongod-${member}`, `${process}>nats-${member}`]),
);
/** With a star: all replicas, each with a clock of its own. */
const CLOCKS = ["delivery-*", "delivery-*", "delivery-2", "profile-2", "gateway-2", "auth-token-2"];
const ROLLOUTS = ["*", "delivery-*", "profile-*", "gateway-*", "document-*"];
/** Roles, which are looked up when the fault begins. */
const LEADERS = ["EVENTS-leader", "EVENTS-leader", "STORAGE-leader", "meta-leader"];
const VOTERS = ["primary", "primary", "secondary"];

const link = (least: number, most: number): Kind => ({
  family: "link",
  targets: LINK_TARGETS,
  forMs: [least, most],
});
const on = (family: Family, targets: readonly string[], least = 0, most = 0): Kind => ({
  family,
  targets,
  forMs: [least, most],
});
const way = (targets: readonly string[], least = 0, most = 0): Way => ({ targets, forMs: [least, most] });
const onCluster = (family: Family, targets: readonly string[], least = 0, most = 0): Kind => ({
  ...on(family, []),
  cluster: way(targets, least, most),
});
/** A vote for another primary begins after ten seconds. */
const ELECTION_MS = [11_000, 15_000] as const;

/** Everything ends by itself; a kind with no time of its own is over at once, or when its server is back. */
export const FAULT_KINDS = {
  "link-cut": link(0, 0),
  "link-cut-often": link(2_000, 6_000),
  "link-half-close": link(0, 0),
  "link-forget": link(0, 0),
  "link-refuse": link(1_000, 8_000),
  "link-hold": link(1_000, 8_000),
  "link-hold-up": link(1_000, 8_000),
  "link-hold-down": link(1_000, 8_000),
  "link-delay": link(2_000, 8_000),
  "link-trickle": link(2_000, 8_000),
  // Longer than the circuit breaker needs; the other process of profile has its database.
  "link-cut-off": on("link", ["profile-1>mongod", "profile-2>mongod"], 20_000, 22_000),
  "link-member": onCluster("link", MEMBER_LINKS, 2_000, 10_000),
  "process-kill": on("process", LAB_PROCESSES),
  "process-freeze": on("process", LAB_PROCESSES, 1_000, 8_000),
  "process-clock": on("process", CLOCKS, 8_000, 14_000),
  // As an upgrade does it: SIGTERM and a new start, one after the other.
  "process-rollout": on("process", ROLLOUTS),
  "process-field-key": on("process", ["identity", "token", "webhook"]),
  "process-user": onCluster("process", ["nats", "mongod"]),
  "broker-kill": { ...on("broker", ["nats"]), cluster: way(LEADERS, 2_000, 8_000) },
  "broker-freeze": { ...on("broker", ["nats"], 1_000, 8_000), cluster: way(LEADERS, 2_000, 12_000) },
  // It runs a quarter of the time, as on a disk or a host that makes it wait.
  "broker-slow": { ...on("broker", ["nats"], 4_000, 9_000), cluster: way(LEADERS, 4_000, 9_000) },
  "broker-away": { ...on("broker", ["nats"], 1_000, 5_000), cluster: way(LEADERS, 1_000, 5_000) },
  "broker-quorum": onCluster("broker", ["two-servers"], 3_000, 10_000),
  "broker-all": onCluster("broker", ["all-servers"], 0, 3_000),
  "broker-routes": onCluster("broker", LEADERS, 4_000, 12_000),
  "broker-full-disk": onCluster("broker", ["nats-2"], 3_000, 10_000),
  "broker-wipe": { ...on("broker", ["nats"]), cluster: way(LEADERS) },
  "broker-delete-stream": on("broker", ["EVENTS", "STORAGE"]),
  "broker-lose-messages": on("broker", ["STORAGE"]),
  "broker-lose-events": { ...on("broker", ["nats"]), cluster: way(["EVENTS-leader"]) },
  "broker-truncate": { ...on("broker", ["nats"]), cluster: way(LEADERS) },
  "broker-flip-bits": { ...on("broker", ["nats"]), cluster: way(LEADERS) },
  "broker-roll-back": { ...on("broker", ["nats"], 2_000, 6_000), cluster: way(LEADERS, 2_000, 6_000) },
  "mongod-kill": { ...on("mongod", ["mongod"]), cluster: way(VOTERS, ...ELECTION_MS) },
  "mongod-freeze": { ...on("mongod", ["mongod"], 1_000, 8_000), cluster: way(VOTERS, 3_000, 15_000) },
  "mongod-slow": { ...on("mongod", ["mongod"], 4_000, 9_000), cluster: way(VOTERS, 4_000, 9_000) },
  "mongod-stepdown": onCluster("mongod", ["primary"], 0, 8_000),
  "mongod-two-away": onCluster("mongod", ["two-members"], 4_000, 12_000),
  // Its clients still reach it; what it takes alone is rolled back when it returns.
  "mongod-partition": onCluster("mongod", ["primary"], 12_000, 18_000),
  "mongod-full-disk": onCluster("mongod", ["mongod-2"], 4_000, 12_000),
  "storage-kill": on("storage", ["s3"]),
  "storage-freeze": on("storage", ["s3"], 2_000, 8_000),
  "storage-503": on("storage", ["s3"], 3_000, 9_000),
  "storage-cut": on("storage", ["s3"], 3_000, 9_000),
  "storage-damage": on("storage", ["s3"], 3_000, 9_000),
  "storage-repeat": on("storage", ["s3"], 3_000, 9_000),
  "receiver-500": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-429": on("receiver", ["receiver"], 2_000, 6_000),
  "receiver-hang": on("receiver", ["receiver"], 2_000, 6_000),
  "receiver-reset": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-slow": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-half": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-drip": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-huge": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-redirect": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-expired": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-no-dns": on("receiver", ["SERVFAIL", "silent"], 2_000, 8_000),
  "receiver-gone": on("receiver", ["receiver"], 2_000, 6_000),
  "outbox-damage": on("outbox", ["profile"]),
  "database-migration": on("outbox", ["migrate"]),
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof FAULT_KINDS;
export const ALL_KINDS = Object.keys(FAULT_KINDS) as FaultKind[];

export function wayOf(kind: FaultKind, stage: StageKind): Way {
  const one: Kind = FAULT_KINDS[kind];
  return stage === "cluster" ? (one.cluster ?? one) : one;
}

export const kindsOn = (stage: StageKind): FaultKind[] =>
  ALL_KINDS.filter((kind) => wayOf(kind, stage).targets.length > 0);

/** By families or kinds; a name that is neither is a mistake of the caller. */
export function kindsNamed(names: readonly string[], stage: StageKind = "single"): FaultKind[] {
  const found = names.map((name) =>
    kindsOn(stage).filter((kind) => kind === name || FAULT_KINDS[kind].family === name),
  );
  const unknown = names.filter((_, index) => found[index]?.length === 0);
  if (unknown.length > 0)
    throw new Error(`The ${stage} stage has no kind or family of faults named ${unknown.join(", ")}.`);
  return [...new Set(found.flat())];
}

export const describeFault = ({ kind, target, atMs, forMs }: Fault): string =>
  `${kind} ${target} at ${(atMs / 1_000).toFixed(1)} s${forMs > 0 ? ` for ${(forMs / 1_000).toFixed(1)} s` : ""}`;
