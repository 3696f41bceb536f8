/** Messages that cannot be handled, stored for a person to read. */
import type { mongo } from "mongoose";
import type { Clock } from "../clock.ts";
import { collection } from "../mongo/collections.rules.ts";
import type { StreamMessage } from "./jetstream.ts";

type Letter = Pick<StreamMessage, "id" | "sequence" | "subject" | "text">;

export type DeadLetter = {
  /** Consumer and message: the same message refused again only increases its count. */
  _id: string;
  consumer: string;
  subject: string;
  reason: string;
  text: string;
  times: number;
  firstAt: Date;
  lastAt: Date;
};

export type DeadLetters = ReturnType<typeof deadLetters>;

const KEPT_SECONDS = 90 * 24 * 60 * 60;

export const DEAD_LETTERS = collection<DeadLetter>("dead_letters", {
  shards: "few: an operator looks at each",
  indexes: [{ key: { lastAt: 1 }, name: "expiry", expireAfterSeconds: KEPT_SECONDS }],
});

export function deadLetters(letters: mongo.Collection<DeadLetter>, clock: Clock) {
  return {
    async keep(consumer: string, message: Letter, reason: string): Promise<void> {
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
