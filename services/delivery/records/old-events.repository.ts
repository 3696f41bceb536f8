/**
 * Places in the feed for events of a release that ordered them by the time of recording: the same order, so that a cursor
 * of that release keeps its place. Doing it again changes nothing.
 */
import mongoose, { type Connection } from "mongoose";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { eventModel } from "./event.model.ts";
import { feedTimeOf } from "./feed-position.rules.ts";

const PER_STEP = 1_000;
/** Of that release. */
const INDEX = "feed";
const INDEX_NOT_FOUND = 27;

export async function placeOldEvents(connection: Connection): Promise<void> {
  const events = collectionOf(eventModel(connection));
  for (;;) {
    const found = await events
      .find({ feedAt: null as never }, { projection: { partnerId: 1, recordedAt: 1 } })
      .hint("unplaced")
      .sort({ recordedAt: 1, _id: 1 })
      .limit(PER_STEP)
      .toArray();
    if (found.length === 0) break;
    await events.bulkWrite(
      found.map(({ _id, partnerId, recordedAt }) => ({
        updateOne: {
          filter: { _id, partnerId, feedAt: null as never },
          update: { $set: { feedAt: new mongoose.mongo.Timestamp(feedTimeOf(recordedAt)) } },
        },
      })),
      { ordered: false },
    );
  }
  await events.dropIndex(INDEX).catch((error: { code?: number }) => {
    if (error.code !== INDEX_NOT_FOUND) throw error;
  });
}
