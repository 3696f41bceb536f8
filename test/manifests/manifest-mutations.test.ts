import { expect, test } from "@jest/globals";
import { CHECKS } from "./checks/all.ts";
import { MUTATIONS } from "./checks/mutations.ts";
import { overlayOf } from "./checks/overlay.ts";

const { objects: production, installation } = overlayOf("production");
const rowName = (row: string): string => /^\w+/.exec(row)?.[0] ?? "";

test.each(
  Object.entries(MUTATIONS).flatMap(([row, changes]) =>
    Object.entries(changes).map(([what, change]) => ({ row, what, change })),
  ),
)("$row notices $what", ({ row, change }) => {
  const broken = structuredClone(production);
  change(broken);
  const check = CHECKS.find((candidate) => rowName(candidate.row) === row);
  expect(check?.problems(production, installation)).toEqual([]);
  expect(check?.problems(broken, installation)).not.toEqual([]);
});

test("every check has a mutation that it notices", () => {
  expect(CHECKS.map(({ row }) => rowName(row)).filter((row) => !(row in MUTATIONS))).toEqual([]);
});
