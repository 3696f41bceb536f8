/**
 * Inserts a document unless its time is up. The server compares with its own clock when it begins the write: one that
 * waited on the wire or before a server that stood still is void, and cannot appear after its caller was answered.
 */
import type { Connection, mongo } from "mongoose";
import { withDeadline } from "../../../shared/deadline.ts";
import { outcomeUnknown, unavailable } from "../../../shared/errors.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { BY_ID, isDuplicateKey, type Place } from "../../../shared/mongo/mongo.ts";

/** What $toInt answers to a text that is no number. */
const CONVERSION_FAILURE = 241;

/** For a caller that named no end. */
const USUALLY_MS = 2_000;

export const usualEnd = (): number => performance.now() + USUALLY_MS;

/** What is read before the write; later nothing is written, so Service.Unavailable is true. */
export const readInTime = <T>(answer: Promise<T>, endsAt: number): Promise<T> =>
  withDeadline(answer, endsAt - performance.now(), late);

/**
 * `endsAt` is a time of performance.now(). Service.Unavailable: it was not inserted and never will be.
 * Service.OutcomeUnknown: the server was asked and did not answer. Answers false when a document with this id, or with
 * another key that must be unique, exists: it is left as it is.
 */
export async function insertInTime<T extends Place>(
  connection: Connection,
  collection: mongo.Collection<T>,
  document: T,
  endsAt: number,
): Promise<boolean> {
  const until = await byServerClock(connection, endsAt);
  const inTime = { $lte: ["$$NOW", until] };
  // A pipeline can refuse only by failing; the id is no number.
  const orFail = { $toInt: "$_id" };
  const pipeline = [{ $replaceWith: { $cond: [inTime, { $literal: document }, orFail] } }];
  const { _id, partnerId } = document;
  // Never matches, so that it inserts or meets the document that exists.
  const filter = { _id, partnerId, $nor: [{ _id }] } as unknown as mongo.Filter<T>;
  const withinMs = leftMs(endsAt);
  try {
    // The driver has no deadline for one operation, and need not: what it leaves behind is void.
    await withDeadline(
      collection.updateOne(filter, pipeline, { upsert: true, ...BY_ID }),
      withinMs,
      outcomeUnknown,
    );
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    if (error instanceof Error && "code" in error && error.code === CONVERSION_FAILURE) throw late(error);
    throw isDatabaseAway(error) ? outcomeUnknown(error) : error;
  }
}

/** Never later than `endsAt`: the server's time was read before it arrived here. */
async function byServerClock({ db }: Connection, endsAt: number): Promise<Date> {
  if (!db) throw late();
  const { localTime } = await readInTime(db.command({ hello: 1 }), endsAt);
  return new Date((localTime as Date).getTime() + Math.floor(endsAt - performance.now()));
}

function leftMs(endsAt: number): number {
  const left = Math.floor(endsAt - performance.now());
  if (left <= 0) throw late();
  return left;
}

const late = (cause?: unknown) => unavailable("The database", cause);
