import { describe, expect, test } from "@jest/globals";
import { MIGRATION_PARTS } from "../../../deploy/lib/migrate.ts";
import {
  isPending,
  type MigrationRecord,
  migrationProblem,
  planOf,
} from "../../../shared/mongo/migrations.rules.ts";

const AT = new Date("2026-06-15T12:00:00.000Z");
const MIGRATIONS = [
  { number: 1, name: "indexes" },
  { number: 2, name: "expiry" },
];
const record = (number: number, isEnded = true): MigrationRecord => ({
  number,
  name: `as recorded ${number}`,
  startedAt: AT,
  endedAt: isEnded ? AT : null,
});

describe("planOf", () => {
  test.each<[string, MigrationRecord[], string[]]>([
    ["a new database", [], ["to do", "to do"]],
    ["one step behind", [record(1)], ["done", "to do"]],
    ["interrupted", [record(1), record(2, false)], ["done", "begun"]],
    ["up to date", [record(1), record(2)], ["done", "done"]],
    ["ahead", [record(1), record(2), record(3)], ["done", "done", "of a newer release"]],
  ])("%s", (_, records, states) => {
    expect(planOf(MIGRATIONS, records).map(({ state }) => state)).toEqual(states);
  });

  test("each with its number and name, those of a newer release as they were recorded", () => {
    expect(planOf(MIGRATIONS.slice(0, 1), [record(1), record(3)])).toEqual([
      { number: 1, name: "indexes", state: "done" },
      { number: 3, name: "as recorded 3", state: "of a newer release" },
    ]);
  });

  test("what is to do or was interrupted is run, whatever is done or newer is not", () => {
    const plan = planOf(
      [...MIGRATIONS, { number: 3, name: "next" }],
      [record(1), record(2, false), record(9)],
    );
    expect(plan.filter(isPending).map(({ number }) => number)).toEqual([2, 3]);
  });
});

describe("migrationProblem", () => {
  test("with steps missing: names the database, each of them and the command", () => {
    expect(migrationProblem("pbo_delivery", MIGRATIONS, [record(2, false)])).toBe(
      "The database pbo_delivery has not had migration 1 (indexes), 2 (expiry): run `npm run admin -- migrate` first.",
    );
  });
  test.each([
    ["up to date", [record(1), record(2)]],
    ["ahead of this release", [record(1), record(2), record(3)]],
  ])("%s: none", (_, records) => {
    expect(migrationProblem("pbo_delivery", MIGRATIONS, records)).toBeNull();
  });
});

test("every service has its migrations, numbered from one without a gap", async () => {
  for (const part of MIGRATION_PARTS.filter((name) => name !== "streams")) {
    const { MIGRATIONS: rows } = (await import(`../../../services/${part}/migrations.ts`)) as {
      MIGRATIONS: { number: number }[];
    };
    expect([part, rows.map(({ number }) => number)]).toEqual([part, rows.map((_, index) => index + 1)]);
    expect(rows.length).toBeGreaterThan(0);
  }
});
