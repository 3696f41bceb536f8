/** Writes that reach the server without a majority and its journal, as they leave the driver. */
import type { mongo } from "mongoose";

type Command = Record<string, unknown>;
type Started = { commandName: string; databaseName: string; command: Command };

const WRITES = new Set(["insert", "update", "delete", "findAndModify", "bulkWrite", "commitTransaction"]);

/** Writes whose loss costs nothing, with the field or operator that each of their changes is limited to. */
const QUICK: readonly { collection: string; changes: RegExp; why: string }[] = [
  { collection: "request_log", changes: /^insert$/, why: "a request that is not listed" },
  {
    collection: "request_log_dropped",
    changes: /^\$(inc|setOnInsert) /,
    why: "a count of requests that are not listed",
  },
  {
    collection: "quota_counters",
    changes: /^findAndModify$/,
    why: "a minute's budget that is granted once more",
  },
  {
    collection: "documents",
    changes: /^\$set (announcePending|dueAt|isTidy)$/,
    why: "the sweep repeats its work",
  },
  { collection: "business_profiles", changes: /^\$pull outbox$/, why: "an event is confirmed once more" },
];

/** Gathers them in the list that it answers; the connection must have been opened with monitorCommands. */
export function weakWritesOf(client: Pick<mongo.MongoClient, "on">): string[] {
  const weak: string[] = [];
  client.on("commandStarted", (event: Started) => {
    const problem = weaknessOf(event);
    if (problem) weak.push(problem);
  });
  return weak;
}

/** Null for a read, and for a write that is as durable as it must be. */
export function weaknessOf({ commandName, databaseName, command }: Started): string | null {
  // A transaction is as durable as its commit.
  if (!WRITES.has(commandName) || command.autocommit === false) {
    if (commandName !== "commitTransaction") return null;
  }
  const { w, j, journal } = (command.writeConcern ?? {}) as Record<string, unknown>;
  if (w === "majority" && (j ?? journal) === true) return null;
  const collection = String(command[commandName]);
  const changes = changesOf(commandName, command);
  const isQuick = QUICK.some(
    (one) => one.collection === collection && w === 1 && changes.every((change) => one.changes.test(change)),
  );
  if (isQuick) return null;
  return `${databaseName}.${collection} ${commandName} ${JSON.stringify(command.writeConcern)} ${changes.join()}`;
}

type Changes = Record<string, object>;

/** "$set dueAt" for each changed field, or the command where it has no changes. A pipeline has several stages. */
function changesOf(commandName: string, command: Command): string[] {
  const updates = (command.updates ?? []) as { u?: Changes | Changes[] }[];
  const stages = updates.flatMap(({ u = {} }) => u);
  const changes = stages.flatMap((stage) =>
    Object.entries(stage).flatMap(([operator, fields]) =>
      Object.keys(fields).map((field) => `${operator} ${field}`),
    ),
  );
  return changes.length > 0 ? changes : [commandName];
}
