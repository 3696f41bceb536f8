/** Generated from the sources: each database operation has a deadline, and each index that a hint names is declared. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import mongoose, { type Connection } from "mongoose";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { COLLECTIONS as delivery } from "../../../services/delivery/collections.ts";
import { COLLECTIONS as profile } from "../../../services/profile/collections.ts";
import { type CollectionTable, named } from "../../../shared/mongo/collections.rules.ts";
import { giveDeadlines } from "../../../shared/mongo/mongo-deadlines.ts";

const sourcesOf = (pattern: string, ...exclude: string[]): string =>
  globSync(pattern, { cwd: projectDir, exclude })
    .map((file) => readFileSync(join(projectDir, file), "utf8"))
    .join("\n");
const namesIn = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].flatMap(([, name]) => name ?? []);

/** Called on other objects only: cursors, tasks, schemas, repositories. */
const OTHERS = ["hint", "drop", "indexes", "count"];

test("every collection and cursor method that the code calls has a deadline", () => {
  // The migration creates indexes, which have no deadline.
  const code = sourcesOf("{services,shared}/**/*.ts", "shared/mongo/ensure-collections.ts");
  const called = namesIn(code, /\.(\w+)[(<]/g).filter((name) => !OTHERS.includes(name));
  const withoutDeadline = async () => undefined;
  const methods = (names: string[]) =>
    Object.fromEntries(names.filter((name) => called.includes(name)).map((name) => [name, withoutDeadline]));
  const cursor: object = methods(["toArray", "next", "tryNext", "hasNext", "explain"]);
  const collection: Record<string, () => unknown> = {
    ...methods(Object.getOwnPropertyNames(mongoose.mongo.Collection.prototype)),
    find: () => cursor,
    aggregate: () => cursor,
  };
  const connection = { collection: () => collection } as unknown as Connection;
  giveDeadlines(connection, 1);
  connection.collection("any");
  for (const query of ["find", "aggregate"]) collection[query]?.();
  const all = Object.entries({ ...collection, ...cursor });
  expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(["insertMany", "distinct", "toArray"]));
  expect(all.filter(([, run]) => run === withoutDeadline).map(([name]) => name)).toEqual([]);
});

test.each<[string, CollectionTable, number]>([
  ["delivery", delivery, 8],
  ["profile", profile, 9],
])("%s: every index that a hint names is declared", (service, table, least) => {
  const code = sourcesOf(`services/${service}/**/*.ts`);
  // Given directly, or to a helper that gives the hint, or chosen by a function such as caseIndex().
  const chosen = namesIn(code, /(function \w+Index\([\s\S]*?\n\})/g).join("\n");
  const hints = [
    ...namesIn(code, /\bhint(?:\(|: )"(\w+)"/g),
    ...namesIn(code, /findLeftovers<[\s\S]*?, *\s*"(\w+)",/g),
    ...namesIn(chosen, /"(\w+)"/g),
  ];
  const declared = Object.values(table).flatMap(({ indexes }) => indexes.map((index) => named(index).name));
  expect(new Set(hints).size).toBeGreaterThanOrEqual(least);
  expect(declared).toEqual(expect.arrayContaining(hints));
});
