import { expect, test } from "@jest/globals";
import { CHECKS } from "./checks/all.ts";
import { overlayOf } from "./checks/overlay.ts";
import { SURROUNDING_MUTATIONS } from "./checks/surrounding-mutations.ts";
import { WORKLOAD_MUTATIONS } from "./checks/workload-mutations.ts";

const MUTATIONS = [...WORKLOAD_MUTATIONS, ...SURROUNDING_MUTATIONS];

const { objects: production, installation } = overlayOf("production");

const rowName = (row: string): string => /^\w+/.exec(row)?.[0] ?? "";

test.each(MUTATIONS)("$row notices $what", ({ row, change }) => {
  const broken = structuredClone(production);
  change(broken);
  const check = CHECKS.find((candidate) => rowName(candidate.row) === row);
  expect(check?.problems(production, installation)).toEqual([]);
  expect(check?.problems(broken, installation)).not.toEqual([]);
});

test("every check has a mutation that it notices", () => {
  const mutated = new Set(MUTATIONS.map(({ row }) => row));
  expect(CHECKS.map(({ row }) => rowName(row)).filter((row) => !mutated.has(row))).toEqual([]);
});
