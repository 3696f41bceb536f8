import type { Connection, mongo } from "mongoose";
import { type EventRecord, eventModel } from "./event.model.ts";

export type EventRepository = {
  /** Stores the events that are new and answers how many. Doing it twice changes nothing. */
  record(events: readonly EventRecord[]): Promise<number>;
};

const DUPLICATE_KEY = 11_000;

export function eventRepository(connection: Connection): EventRepository {
  const { collection } = eventModel(connection);
  return {
    async record(events) {
      if (events.length === 0) return 0;
      try {
        const documents = events as unknown as mongo.OptionalId<mongo.BSON.Document>[];
        return (await collection.insertMany(documents, { ordered: false })).insertedCount;
      } catch (error) {
        if (isOnlyDuplicates(error)) return error.insertedCount;
        throw error;
      }
    },
  };
}

/** Everything else in the batch was written, with the write concern that was asked for. */
function isOnlyDuplicates(error: unknown): error is mongo.MongoBulkWriteError {
  const { writeErrors, result } = error as Partial<mongo.MongoBulkWriteError>;
  const each = [writeErrors ?? []].flat();
  return (
    each.length > 0 &&
    each.every(({ code }) => code === DUPLICATE_KEY) &&
    result?.getWriteConcernError() === undefined
  );
}
