/** Parts of a customer that outlive their purpose: stored responses after their day, people after their retention. */
import type { Connection, mongo } from "mongoose";
import { BY_ID, collectionOf, type Place } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { placeOf, unchanged } from "./profile.repository.ts";
import type { FormerPerson, Profile, StoredProfile } from "./profile.types.ts";

export type LeftoversRepository = ReturnType<typeof leftoversRepository>;

const QUERY_MS = 5_000;

export function leftoversRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.profiles);
  const find = <T extends Place>(filter: object, hint: string, projection: object, limit: number) =>
    collection
      .find<T>(filter as mongo.Filter<StoredProfile>, {
        projection: { partnerId: 1, ...projection },
        maxTimeMS: QUERY_MS,
      })
      .hint(hint)
      .limit(limit)
      .toArray();

  return {
    /** Reads the index of stored responses, which has those of about a day. Answers how many customers had one. */
    async forgetAnswers(since: string, limit: number): Promise<number> {
      const filter = { "keptAnswers.key": { $exists: true }, "keptAnswers.at": { $lte: since } };
      const found = await find<Place>(filter, "answered_key", {}, limit);
      const update = { $pull: { keptAnswers: { at: { $lte: since } } } } as never;
      if (found.length > 0)
        await collection.bulkWrite(
          found.map((customer) => ({ updateOne: { filter: placeOf(customer), update, ...BY_ID } })),
          { ordered: false },
        );
      return found.length;
    },

    /** Customers with people who were removed by then. */
    withRemovedPeople: (since: string, limit: number): Promise<Profile[]> =>
      find<Profile>(
        { "people.removedAt": { $gt: "", $lte: since } },
        "removed_people",
        { version: 1, people: 1 },
        limit,
      ),

    /** A new version, because places in the list of people change. A customer that changed since it was read is left out. */
    async emptyPeople(profile: Profile, since: string, former: readonly FormerPerson[]): Promise<void> {
      const change = {
        $pull: { people: { removedAt: { $gt: "", $lte: since } } },
        $push: { formerPeople: { $each: [...former] } },
        $inc: { version: 1 },
      } as unknown as mongo.UpdateFilter<StoredProfile>;
      await collection.updateOne(unchanged(profile), change, BY_ID);
    },
  };
}
