import { describe, expect, test } from "@jest/globals";
import type { Connection } from "mongoose";
import { Schema } from "mongoose";
import { COLLECTIONS as authToken } from "../../../services/auth-token/collections.ts";
import { COLLECTIONS as delivery } from "../../../services/delivery/collections.ts";
import { COLLECTIONS as document } from "../../../services/document/collections.ts";
import { COLLECTIONS as profile } from "../../../services/profile/collections.ts";
import { COLLECTIONS as webhookRegistry } from "../../../services/webhook-registry/collections.ts";
import {
  type ActualIndex,
  type CollectionTable,
  collection,
  type DeclaredIndex,
  describeShardKey,
  indexDifferences,
  leadsToShard,
  named,
} from "../../../shared/mongo/collections.rules.ts";
import { requireCollections } from "../../../shared/mongo/ensure-collections.ts";
import { modelOf } from "../../../shared/mongo/mongo.ts";

const ID: ActualIndex = { name: "_id_", key: { _id: 1 } };
const NONE = { missing: [], expiries: [], conflicts: [], surplus: [] };
const differences = (declared: DeclaredIndex, ...actual: ActualIndex[]) =>
  indexDifferences(collection("events", { shards: "few", indexes: [declared] }), [ID, ...actual]);

describe("indexDifferences", () => {
  const PARTNER: DeclaredIndex = { key: { partnerId: 1, _id: -1 } };
  const EXPIRY: DeclaredIndex = { name: "expiry", key: { at: 1 }, expireAfterSeconds: 60 };
  const conflict = (settings: string) => ({
    ...NONE,
    conflicts: [expect.stringContaining(` of events exists with another ${settings}. `)],
  });

  test.each<[string, DeclaredIndex, ActualIndex[], object]>([
    ["nothing there", PARTNER, [], { ...NONE, missing: [{ name: "partnerId_1__id_-1", ...PARTNER }] }],
    ["the same index", PARTNER, [named(PARTNER)], NONE],
    ["a field of newer servers", PARTNER, [{ ...named(PARTNER), v: 3 } as ActualIndex], NONE],
    [
      "another expiry",
      EXPIRY,
      [{ ...named(EXPIRY), expireAfterSeconds: 9 }],
      { ...NONE, expiries: [EXPIRY] },
    ],
    ["an expiry that was none", EXPIRY, [{ name: "expiry", key: { at: 1 } }], conflict("expireAfterSeconds")],
    [
      "another expiry and another key",
      EXPIRY,
      [{ name: "expiry", key: { to: 1 }, expireAfterSeconds: 9 }],
      conflict("key, expireAfterSeconds"),
    ],
    [
      "another order of fields",
      PARTNER,
      [{ name: "partnerId_1__id_-1", key: { _id: -1, partnerId: 1 } }],
      conflict("key"),
    ],
    ["unique, and declared as not", PARTNER, [{ ...named(PARTNER), unique: true }], conflict("unique")],
    ["sparse, and declared as not", PARTNER, [{ ...named(PARTNER), sparse: true }], conflict("sparse")],
    [
      "another condition",
      { ...PARTNER, partialFilterExpression: { at: { $gt: new Date(0) } } },
      [{ ...named(PARTNER), partialFilterExpression: { at: { $gt: new Date(1) } } }],
      conflict("partialFilterExpression"),
    ],
    ["another index", PARTNER, [named(PARTNER), named(EXPIRY)], { ...NONE, surplus: ["expiry"] }],
  ])("%s", (_, declared, actual, expected) => {
    expect(differences(declared, ...actual)).toEqual(expected);
  });

  test("the index of the shard key is not surplus", () => {
    const key = { partnerId: 1, _id: "hashed" } as const;
    const actual = [{ name: "partnerId_1__id_hashed", key }];
    expect(indexDifferences(collection("events", { shards: key }), actual)).toEqual(NONE);
    expect(indexDifferences(collection("events", { shards: "few" }), actual).surplus).toHaveLength(1);
  });
});

describe("leadsToShard", () => {
  const KEY = { partnerId: 1, _id: "hashed" } as const;
  test.each<[string, Omit<ActualIndex, "name">[], boolean]>([
    ["the key itself", [{ key: KEY }], true],
    ["an index that continues after it", [{ key: { ...KEY, at: 1 } }], true],
    ["the last of two indexes", [{ key: { _id: 1 } }, { key: KEY }], true],
    ["its beginning only", [{ key: { partnerId: 1 } }], false],
    ["another order of values", [{ key: { partnerId: 1, _id: -1 } }], false],
    ["another order of fields", [{ key: { _id: "hashed", partnerId: 1 } }], false],
    ["a partial index", [{ key: KEY, partialFilterExpression: { at: 1 } }], false],
    ["a sparse index", [{ key: KEY, sparse: true }], false],
    ["no index", [], false],
  ])("%s", (_, indexes, leads) => {
    expect(
      leadsToShard(
        KEY,
        indexes.map((index) => ({ name: "i", ...index })),
      ),
    ).toBe(leads);
  });
});

describe("the tables", () => {
  const tables: Record<string, CollectionTable> = { authToken, delivery, document, profile, webhookRegistry };
  test.each(Object.entries(tables))("%s: every name is unique", (_, table) => {
    const names = Object.values(table).map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    for (const { name, indexes } of Object.values(table)) {
      const indexNames = indexes.map((index) => named(index).name);
      expect([name, indexNames]).toEqual([name, [...new Set(indexNames)]]);
    }
  });

  test.each(Object.entries(tables))(
    "%s: shard keys begin with the partner or the id, and unique indexes with the shard key",
    (_, table) => {
      for (const { name, shards, indexes } of Object.values(table)) {
        if (typeof shards === "string") continue;
        const fields = Object.keys(shards);
        expect(["partnerId", "_id"]).toContain(fields[0]);
        for (const { key, unique } of indexes)
          if (unique) expect([name, Object.keys(key).slice(0, fields.length)]).toEqual([name, fields]);
      }
    },
  );

  test("a shard key in words", () => {
    expect(describeShardKey({ partnerId: 1, _id: "hashed" })).toBe("partnerId, _id (hashed)");
  });
});

test("an index that is still being built counts as missing", async () => {
  const spec = { name: "at_1", key: { at: 1 } };
  const answer = { cursor: { firstBatch: [ID, { buildUUID: "b", spec }] } };
  const connection = { name: "db", getClient: () => ({ db: () => ({ command: async () => answer }) }) };
  const table = { marks: collection("marks", { shards: "few", indexes: [{ key: { at: 1 } }] }) };
  await expect(requireCollections(connection as unknown as Connection, table)).rejects.toThrow(
    "lacks index at_1 of marks",
  );
});

test("an index in a mongoose schema is refused", () => {
  const schema = new Schema({ _id: String, email: { type: String, unique: true } });
  expect(() => modelOf({} as Connection, collection("users", { shards: "few" }), schema as never)).toThrow(
    "The indexes of users belong in collections.ts.",
  );
});
