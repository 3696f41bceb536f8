/** The position of an event in the feed: a time of the database's own clock, which is unique and only rises. */

/** As a BSON timestamp: seconds, and a count within the second. */
export type FeedTime = { t: number; i: number };

/** Directly behind the event with this time and id. */
export type FeedPosition = { at: FeedTime; id: string };

export const isLater = (left: FeedTime, right: FeedTime): boolean =>
  left.t > right.t || (left.t === right.t && left.i > right.i);

export const feedTimeBefore = ({ t, i }: FeedTime, beforeMs: number): FeedTime => ({
  t: t - Math.ceil(beforeMs / 1_000),
  i,
});
