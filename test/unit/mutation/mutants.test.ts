import { expect, test } from "@jest/globals";
import { mutantsOf } from "../../mutation/mutants.ts";

const changesOf = (source: string) => mutantsOf(source).map(({ text }) => text.split(" → ")[1]);

test.each([
  ["a comparison", "const f = (a, b) => a === b;", ["const f = (a, b) => a !== b;"]],
  ["a bound", "const f = (a) => a < b;", ["const f = (a) => a <= b;"]],
  ["both", "f(a && b || c);", [";", "f(a && b && c);", "f(a || b || c);"]],
  ["a number", "const LIMIT_MS = 1_000;", ["const LIMIT_MS = 1001;"]],
  [
    "a text of the program, not one for people",
    'x = ["Pending", "not found", ""];',
    ['x = ["", "not found", ""];', 'x = ["Pending", "not found", "x"];'],
  ],
  ["a guard", "if (!open) stop = 7n;", ["if (false) stop = 7n;", "if (open) stop = 7n;"]],
  ["a choice", "const x = a ? b : c;", ["const x = !(a) ? b : c;"]],
  ["a call that is left out or not waited for", "await store(x);", [";", "void store(x);"]],
  [
    "a field of a query",
    "const q = { _id, at: { $lte: now } };",
    [
      "const q = {  at: { $lte: now } };",
      "const q = { _id,  };",
      "const q = { _id, at: {  } };",
      "const q = { _id, at: { $lt: now } };",
    ],
  ],
  ["no field of a projection", "find(id, { projection: { audit: 0 } });", [";"]],
  ["no field that is a text for people", 'const x = { message: "not found" };', []],
  ["nothing that is said to operators", 'logger.info({ id }, "x.y");', []],
  ["no type", 'type T = "a" | "b"; const f = (a: 1 | 2): 3 => a;', []],
  ["no import", 'import { a } from "./a.ts";', []],
])("%s", (_, source, expected) => expect(changesOf(source)).toEqual(expected));

test("places are counted in characters and lines, whatever stands before", () => {
  const source =
    '/** “Ünïcode” ✓ */\nimport a from "a";\n\nexport const isBig = (size: number) => size > 7;\n';
  expect(mutantsOf(source)).toMatchObject([
    { line: 4, source: source.replace("> 7", ">= 7") },
    { line: 4, source: source.replace("> 7", "> 8") },
  ]);
});

test("only what still can be parsed", () => {
  expect(changesOf("const x = a ?? (b || c);")).toEqual([
    "const x = a && (b || c);",
    "const x = a ?? (b && c);",
  ]);
  expect(changesOf("const x = (a && b) ?? c;")).toEqual([
    "const x = (a && b) && c;",
    "const x = (a || b) ?? c;",
  ]);
});
