/** Changes that bring back faults which the laboratory once found, or plant a loss. It must find each. */
import { edit, type SourceEdit } from "../../support/source-edit.rules.ts";
import type { FaultKind } from "./faults.rules.ts";
import { PLANTED_LOSSES } from "./planted-losses.rules.ts";

type Removed = {
  edits: readonly SourceEdit[];
  /** A pattern of the violation that this fault leads to. Violations of a busy machine do not count. */
  shows: string;
  /** Kinds of faults that the rounds are drawn from; all without it. */
  only?: readonly FaultKind[];
};

export const REMOVED_FIXES = {
  ...PLANTED_LOSSES,
  /** A MongoDB connection that died at the wrong moment: its callers wait without end. */
  deadlines: {
    shows: "still: .*(outboxes hold events|deliveries pend)",
    edits: [
      edit(
        "shared/mongo/mongo-deadlines.ts",
        "  const collectionOf = connection.collection.bind(connection);",
        "  if (withinMs > 0) return;\n  const collectionOf = connection.collection.bind(connection);",
      ),
      edit(
        "shared/mongo/mongo.ts",
        "        socketTimeoutMS: socketMs,\n        waitQueueTimeoutMS: operationMs,\n",
        "        socketTimeoutMS: socketMs > 0 ? 0 : 0,\n",
      ),
      edit(
        "shared/lanes.ts",
        "return withDeadline(started, withinMs, () => abandon(name, withinMs));",
        "return started;",
      ),
    ],
  },
  /** A cached dead endpoint decides, although it was registered again, and no later check corrects it. */
  "asking-for-dead-endpoints": {
    shows: "recorded and never received",
    edits: [
      edit(
        "services/delivery/endpoint/endpoint-directory.ts",
        "if (isLive(endpoint)) known.set(",
        "if (true) known.set(",
      ),
      edit(
        "services/delivery/intake/route-late.ts",
        "partners = await deps.events.unroutedPartners();",
        "partners = [];",
      ),
    ],
  },
  /**
   * An attempt that was handed over and lost is left alone for ten minutes, whatever its lease. A broker that dropped the
   * second hand-over as a duplicate of the first did so once; without that stream, the time in the record does.
   */
  leases: {
    shows: "still: .*deliveries pend",
    edits: [
      edit(
        "services/delivery/intake/schedule-deliveries.ts",
        "claimableAtMs: now + leaseMs",
        "claimableAtMs: now + 600_000",
      ),
    ],
  },
  /** An entry that cannot be read ends the sweep of its page, at each round again. */
  "unreadable-entries": {
    shows: "still: .*outboxes hold events",
    only: ["outbox-damage", "process-kill"],
    edits: [
      edit(
        "shared/outbox/outbox-entry.rules.ts",
        "if (fault === null) readable.push(value as OutboxEntry);",
        "if (fault !== undefined) readable.push(value as OutboxEntry);",
      ),
    ],
  },
  /** The clock of the process that records an event makes its place in the feed, not the database's. */
  "feed-order": {
    shows: "appeared in the feed behind a cursor",
    only: ["process-clock"],
    edits: [
      edit(
        "services/delivery/records/event.repository.ts",
        "const SERVER_TIME = { t: 0, i: 0 };",
        "const own = { i: 0, time: () => ({ t: Math.floor(Date.now() / 1_000), i: ++own.i }) };",
      ),
      edit(
        "services/delivery/records/event.repository.ts",
        "timestamp(SERVER_TIME)",
        "timestamp(own.time())",
      ),
    ],
  },
  /** Each process judges the times of deliveries by its own clock; another process made these times. */
  "database-clock": {
    shows: "received late beside a wrong clock",
    only: ["process-clock"],
    edits: [
      edit(
        "services/delivery/database-clock.ts",
        "if (ahead === null) return clock.now();",
        "if (ahead !== undefined) return clock.now();",
      ),
    ],
  },
  /** A group of creates always succeeds as a call: a process without its database keeps its share of them. */
  "failed-groups": {
    shows: "creates refused while one process was cut off",
    only: ["link-cut-off"],
    edits: [edit("shared/moleculer/answer-group.ts", "  failIfUseless(answers);\n", "")],
  },
} as const satisfies Record<string, Removed>;

export type RemovedFix = keyof typeof REMOVED_FIXES;
export const ALL_FIXES = Object.keys(REMOVED_FIXES) as RemovedFix[];

/** As the option --only takes them. */
export function kindsFor(fix: RemovedFix): string | undefined {
  const { only }: Removed = REMOVED_FIXES[fix];
  return only?.join(",");
}

export function fixNamed(name: string): RemovedFix {
  const found = ALL_FIXES.find((fix) => fix === name);
  if (!found) throw new Error(`There is no fix named ${name}; there are ${ALL_FIXES.join(", ")}.`);
  return found;
}
