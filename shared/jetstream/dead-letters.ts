/** Messages that cannot be handled, stored for a person to look at. */
import type { Connection, mongo } from "mongoose";
import type { Clock } from "../clock.ts";
import type { StreamMessage } from "./jetstream.ts";

type Letter = Pick<StreamMessage, "id" | "sequence" | "subject" | "text">;

type DeadLetter = {
  /** Consumer and message: the same message given up again only increases its count. */
  _id: string;
  consumer: string;
  subject: string;
  reason: string;
  text: string;
  times: number;
  firstAt: Date;
  lastAt: Date;
};

export type DeadLetters = {
  keep(consumer: string, message: Letter, reason: string): Promise<void>;
};

export const DEAD_LETTERS_COLLECTION = "dead_letters";

const KEPT_SECONDS = 90 * 24 * 60 * 60;

export const deadLetterIndexes = (connection: Connection) => ({
  createIndexes: () =>
    connection
      .collection(DEAD_LETTERS_COLLECTION)
      .createIndex({ lastAt: 1 }, { name: "expiry", expireAfterSeconds: KEPT_SECONDS }),
});

export function deadLetters(collection: mongo.Collection, clock: Clock): DeadLetters {
  const letters = collection as unknown as mongo.Collection<DeadLetter>;
  return {
    async keep(consumer, message, reason) {
      const key = `${consumer}:${message.id ?? message.sequence}`;
      const at = new Date(clock.now());
      const text = message.text();
      await letters.updateOne(
        { _id: key },
        {
          $set: { consumer, subject: message.subject, reason, text, lastAt: at },
          $setOnInsert: { firstAt: at },
          $inc: { times: 1 },
        },
        { upsert: true },
      );
    },
  };
}
