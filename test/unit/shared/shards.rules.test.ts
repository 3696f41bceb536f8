import { describe, expect, test } from "@jest/globals";
import { SHARDS as authToken } from "../../../services/auth-token/migrations.ts";
import { SHARDS as delivery } from "../../../services/delivery/migrations.ts";
import { SHARDS as document } from "../../../services/document/migrations.ts";
import { SHARDS as profile } from "../../../services/profile/migrations.ts";
import { describeSpread, leadsToShard, spreadOf } from "../../../shared/mongo/shards.rules.ts";

const KEY = { partnerId: 1, _id: "hashed" } as const;

describe("the shard keys", () => {
  test("what is spread is named in words, what stays whole is left out", () => {
    const spread = spreadOf({ events: KEY, partners: "few" });
    expect(spread.map(describeSpread)).toEqual(["shard events by partnerId, _id (hashed)"]);
  });

  test.each(Object.entries({ authToken, delivery, document, profile }))(
    "of %s: begin with the partner, or with the id",
    (_, table) => {
      for (const { key } of spreadOf(table)) expect(["partnerId", "_id"]).toContain(Object.keys(key)[0]);
    },
  );
});

describe("leadsToShard", () => {
  test.each<[string, Parameters<typeof leadsToShard>[1], boolean]>([
    ["the key itself", [{ key: { partnerId: 1, _id: "hashed" } }], true],
    ["an index that goes on behind it", [{ key: { partnerId: 1, _id: "hashed", at: 1 } }], true],
    ["one among others", [{ key: { _id: 1 } }, { key: { partnerId: 1, _id: "hashed" } }], true],
    ["its beginning only", [{ key: { partnerId: 1 } }], false],
    ["another order of values", [{ key: { partnerId: 1, _id: -1 } }], false],
    ["another order of fields", [{ key: { _id: "hashed", partnerId: 1 } }], false],
    ["one that has not every document", [{ key: KEY, partialFilterExpression: { at: 1 } }], false],
    ["one without documents that lack the field", [{ key: KEY, sparse: true }], false],
    ["none", [], false],
  ])("%s", (_, indexes, leads) => {
    expect(leadsToShard(KEY, indexes)).toBe(leads);
  });
});
