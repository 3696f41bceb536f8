/**
 * Gives every operation on MongoDB a deadline; the driver's own (`timeoutMS`) is experimental. Without one, a socket
 * that closes while a long command is written to it blocks the operation and its lane permanently.
 */
import type { Connection } from "mongoose";
import { withDeadline } from "../deadline.ts";

/** Index builds are not listed: they have no deadline. */
const OPERATIONS = [
  "insertOne",
  "insertMany",
  "bulkWrite",
  "replaceOne",
  "updateOne",
  "updateMany",
  "deleteOne",
  "deleteMany",
  "findOne",
  "findOneAndUpdate",
  "findOneAndReplace",
  "findOneAndDelete",
  "countDocuments",
  "estimatedDocumentCount",
  "distinct",
];
const QUERIES = ["find", "aggregate"];
const CURSOR_READS = ["toArray", "next", "hasNext"];

export class OperationLate extends Error {
  override readonly name = "OperationLate";
}

type Methods = Record<string, (...args: never[]) => unknown>;

/** Before the first collection of the connection is asked for. */
export function giveDeadlines(connection: Connection, withinMs: number): void {
  const collectionOf = connection.collection.bind(connection);
  const seen = new WeakSet<object>();
  connection.collection = ((...args: Parameters<typeof collectionOf>) => {
    const collection = collectionOf(...args);
    if (!seen.has(collection)) bound(collection as unknown as Methods, withinMs);
    seen.add(collection);
    return collection;
  }) as typeof connection.collection;
}

function bound(collection: Methods, withinMs: number): void {
  limit(collection, OPERATIONS, withinMs);
  for (const name of QUERIES) {
    const query = collection[name];
    collection[name] = (...args) => {
      const cursor = query?.apply(collection, args) as Methods;
      limit(cursor, CURSOR_READS, withinMs);
      return cursor;
    };
  }
}

function limit(target: Methods, names: readonly string[], withinMs: number): void {
  for (const name of names) {
    const operation = target[name];
    target[name] = (...args) =>
      withDeadline(
        operation?.apply(target, args) as Promise<unknown>,
        withinMs,
        () => new OperationLate(`${name}: no answer from MongoDB within ${withinMs} ms`),
      );
  }
}
