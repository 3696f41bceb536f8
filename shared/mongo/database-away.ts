/** Whether an error means that the database cannot serve now; without the driver, which the gateway does not load. */
import { isRecord } from "../is-record.ts";

const LOST_CONNECTION = new Set([
  "OperationLate",
  "MongoServerSelectionError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoWaitQueueTimeoutError",
  "MongoOperationTimeoutError",
  "MongoWriteConcernError",
  "MongooseServerSelectionError",
]);

/** Codes of a socket that broke during a write; the driver passes them on. */
const BROKEN_SOCKET = new Set([
  "EPIPE",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);

/** Not primary, shutting down and the like: the server answers but cannot serve now. */
const TRANSIENT_CODES = new Set([
  6, 7, 64, 89, 91, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 50,
  // A cursor or snapshot of before a restart, or no majority yet after it.
  43, 134, 239, 246,
  // From mongos: no primary of a shard, a shard without an answer, or ranges that keep moving.
  133, 202, 13388,
]);

export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && withCauses(error).some(isAway);

/** The driver wraps errors, a lost connection too: in a MongoBulkWriteError, or as the cause of another one. */
function withCauses(error: unknown): unknown[] {
  if (!isRecord(error)) return [];
  const inBulkWrite = error.name === "MongoBulkWriteError" ? partsOf(error) : [];
  return [error, ...inBulkWrite, ...withCauses(error.cause)];
}

type BulkWriteParts = {
  errorResponse?: unknown;
  writeErrors?: unknown;
  result?: { getWriteConcernError?(): unknown };
};

const partsOf = ({ errorResponse, writeErrors, result }: BulkWriteParts): unknown[] => [
  errorResponse,
  ...[writeErrors].flat(),
  result?.getWriteConcernError?.(),
];

const isAway = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  if (TRANSIENT_CODES.has(code as number) || BROKEN_SOCKET.has(code as string)) return true;
  return (
    error instanceof Error &&
    (LOST_CONNECTION.has(error.name) ||
      /initial connection is complete|Client must be connected|buffering/.test(error.message))
  );
};
