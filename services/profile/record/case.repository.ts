/** Cases across partners, as analysts read them, and their notes. */
import type { Connection, mongo } from "mongoose";
import type { CaseNote, CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import { BY_ID, collectionOf } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { LIST_ITEM, placeOf } from "./profile.repository.ts";
import type { Profile } from "./profile.types.ts";
import {
  type CaseFilter,
  caseIndex,
  caseQuery,
  casesBehind,
  searchQueries,
} from "./profile-queries.rules.ts";

/** `skip` for a page by number, `after` for a page by cursor. */
type CasePage = { order: 1 | -1; skip?: number; after?: TimePosition | null; limit: number };

export type CaseRepository = ReturnType<typeof caseRepository>;

const QUERY_MS = 5_000;
const SHOWN = { projection: LIST_ITEM, maxTimeMS: QUERY_MS } as const;

export function caseRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.profiles);

  return {
    list: (
      filter: CaseFilter,
      { order, skip = 0, after = null, limit }: CasePage,
      nowIso: string,
    ): Promise<Profile[]> =>
      collection
        .find({ ...caseQuery(filter, nowIso), ...(after ? casesBehind(after, order) : {}) }, SHOWN)
        .sort({ submittedAt: order, _id: order })
        .hint(caseIndex(filter))
        .skip(skip)
        .limit(limit)
        .toArray(),

    count: (filter: CaseFilter, nowIso: string, upTo?: number): Promise<number> =>
      collection.countDocuments(caseQuery(filter, nowIso), {
        maxTimeMS: QUERY_MS,
        ...(upTo ? { limit: upTo } : {}),
      }),

    find: (customerId: string, filter: CaseFilter, nowIso: string): Promise<Profile[]> =>
      collection.find({ ...caseQuery(filter, nowIso), _id: customerId }, SHOWN).toArray(),

    /** At most `limit` by reference and `limit` by name, in no order. */
    async search(
      search: { namePrefix: string; reference: string },
      filter: CaseFilter,
      limit: number,
      nowIso: string,
    ): Promise<Profile[]> {
      const partnerIds: string[] = await collection.distinct("partnerId", {}, { maxTimeMS: QUERY_MS });
      const found = await Promise.all(
        searchQueries(search, partnerIds, filter, nowIso).map(({ index, query }) =>
          collection.find(query, SHOWN).hint(index).limit(limit).toArray(),
        ),
      );
      return [...new Map(found.flat().map((profile) => [profile._id, profile])).values()];
    },

    /** False when the customer is gone or has the maximum of notes. */
    async addNote(
      customer: Profile,
      note: CaseNote,
      { atMost, session }: { atMost: number; session: mongo.ClientSession },
    ): Promise<boolean> {
      const { matchedCount } = await collection.updateOne(
        { ...placeOf(customer), [`notes.${atMost - 1}`]: { $exists: false } } as never,
        { $push: { notes: note } },
        { session, ...BY_ID },
      );
      return matchedCount === 1;
    },

    /** The newest of both, oldest first. */
    async readTrails(
      customer: Profile,
      limit: number,
    ): Promise<{ audit: CustomerAuditEntry[]; notes: CaseNote[] }> {
      const found = await collection.findOne(placeOf(customer), {
        projection: { audit: { $slice: -limit }, notes: { $slice: -limit } },
        maxTimeMS: QUERY_MS,
        ...BY_ID,
      });
      return { audit: found?.audit ?? [], notes: found?.notes ?? [] };
    },
  };
}
