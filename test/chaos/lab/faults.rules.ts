/** Kinds of faults as values: their targets and durations. */
import { PROCESS_NAMES } from "../../../deploy/local/services/service-env.ts";

export type Server = "mongod" | "nats" | "s3";
type Family = "link" | "process" | "broker" | "mongod" | "storage" | "receiver" | "outbox";

export type Fault = { kind: FaultKind; target: string; atMs: number; forMs: number };

type Kind = { family: Family; targets: readonly string[]; forMs: readonly [least: number, most: number] };

const REPLICAS = [1, 2];
export const LAB_PROCESSES = PROCESS_NAMES.flatMap((name) => REPLICAS.map((replica) => `${name}-${replica}`));

const serversOf = (process: string): readonly Server[] => {
  if (process.startsWith("gateway")) return ["nats"];
  return process.startsWith("document") ? ["nats", "mongod", "s3"] : ["nats", "mongod"];
};
export const LAB_LINKS = LAB_PROCESSES.flatMap((process) =>
  serversOf(process).map((server) => `${process}>${server}`),
);

/** A target that ends in the name of a server may begin with a star: so much of a process's name is left open. */
export const linksOf = (target: string): readonly string[] => {
  const [process = "", server = ""] = target.split(">");
  const begin = process.replace("*", "");
  return LAB_LINKS.filter((link) => link.startsWith(begin) && link.endsWith(`>${server}`));
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
/** With a star: all replicas, each with a clock of its own. */
const CLOCKS = ["delivery-*", "delivery-*", "delivery-2", "profile-2"];

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
  "process-kill": on("process", LAB_PROCESSES),
  "process-freeze": on("process", LAB_PROCESSES, 1_000, 8_000),
  "process-clock": on("process", CLOCKS, 8_000, 14_000),
  "broker-kill": on("broker", ["nats"]),
  "broker-freeze": on("broker", ["nats"], 1_000, 8_000),
  "broker-away": on("broker", ["nats"], 1_000, 5_000),
  "broker-wipe": on("broker", ["nats"]),
  "broker-delete-stream": on("broker", ["EVENTS", "STORAGE"]),
  "broker-lose-messages": on("broker", ["STORAGE"]),
  "broker-truncate": on("broker", ["nats"]),
  "broker-flip-bits": on("broker", ["nats"]),
  "broker-roll-back": on("broker", ["nats"], 2_000, 6_000),
  "mongod-kill": on("mongod", ["mongod"]),
  "mongod-freeze": on("mongod", ["mongod"], 1_000, 8_000),
  "storage-kill": on("storage", ["s3"]),
  "storage-freeze": on("storage", ["s3"], 2_000, 8_000),
  "receiver-500": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-429": on("receiver", ["receiver"], 2_000, 6_000),
  "receiver-hang": on("receiver", ["receiver"], 2_000, 6_000),
  "receiver-reset": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-slow": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-half": on("receiver", ["receiver"], 2_000, 8_000),
  "receiver-gone": on("receiver", ["receiver"], 2_000, 6_000),
  "outbox-damage": on("outbox", ["profile"]),
} as const satisfies Record<string, Kind>;

export type FaultKind = keyof typeof FAULT_KINDS;
export const ALL_KINDS = Object.keys(FAULT_KINDS) as FaultKind[];

/** By families or kinds; a name that is neither is a mistake of the caller. */
export function kindsNamed(names: readonly string[]): FaultKind[] {
  const found = names.map((name) =>
    ALL_KINDS.filter((kind) => kind === name || FAULT_KINDS[kind].family === name),
  );
  const unknown = names.filter((_, index) => found[index]?.length === 0);
  if (unknown.length > 0)
    throw new Error(`There is no kind or family of faults named ${unknown.join(", ")}.`);
  return [...new Set(found.flat())];
}

export const describeFault = ({ kind, target, atMs, forMs }: Fault): string =>
  `${kind} ${target} at ${(atMs / 1_000).toFixed(1)} s${forMs > 0 ? ` for ${(forMs / 1_000).toFixed(1)} s` : ""}`;
