import { expect, test } from "@jest/globals";
import { mutantsOf } from "../../mutation/mutants.ts";
import { OPERATORS } from "../../mutation/operators.ts";

const changesOf = (source: string, wanted?: string) =>
  mutantsOf(source)
    .filter(({ operator }) => wanted === undefined || operator === wanted)
    .map(({ text }) => text.split(" → ")[1]);

const ROWS: [operator: string, source: string, expected: string[]][] = [
  ["sign", "const f = (a, b) => a === b;", ["const f = (a, b) => a !== b;"]],
  ["sign", "const f = (a) => a < b;", ["const f = (a) => a <= b;"]],
  ["sign", "f(a && b || c);", ["f(a && b && c);", "f(a || b || c);"]],
  ["sign", "const x = a ?? (b || c);", ["const x = a && (b || c);", "const x = a ?? (b && c);"]],
  ["literal", "const LIMIT = 7;", ["const LIMIT = 8;"]],
  ["literal", "const LIMIT_MS = 1_000;", ["const LIMIT_MS = 0;"]],
  [
    "literal",
    'x = ["Pending", "not found", "", true];',
    [
      'x = ["", "not found", "", true];',
      'x = ["Pending", "not found", "x", true];',
      'x = ["Pending", "not found", "", false];',
    ],
  ],
  ["condition", "if (!open) stop = 7n;", ["if (false) stop = 7n;", "if (open) stop = 7n;"]],
  ["condition", "const x = a ? b : c;", ["const x = !(a) ? b : c;"]],
  ["call left out", "await store(x);", [";"]],
  ["await left out", "await store(x);", ["void store(x);"]],
  [
    "jump left out",
    "function f() { for (;;) continue; return x; }",
    ["function f() { for (;;) ; return x; }", "function f() { for (;;) continue; ; }"],
  ],
  ["name", "const x = xs.some(f);", ["const x = xs.every(f);"]],
  ["name", "const q = { at: { $lte: 1 } };", ["const q = { at: { $lt: 1 } };"]],
  [
    "name",
    "const u = { $set: a, $inc: b };",
    ["const u = { $setOnInsert: a, $inc: b };", "const u = { $set: a, $set: b };"],
  ],
  [
    "short name",
    "const u = { $max, $push };",
    ["const u = { $set: $max, $push };", "const u = { $max, $set: $push };"],
  ],
  ["field", "const q = { _id, at: x };", ["const q = {  at: x };", "const q = { _id,  };"]],
  ["field", 'const x = { message: "not found" };', []],
  ["field", "find(id, { projection: { audit: 0 } });", []],
  ["spread", "const x = { ...a, b };", ["const x = {  b };"]],
  ["spread", "f([...a], ...b);", ["f([...a], );", "f([], ...b);"]],
  ["arguments", "f(a); Math.min(a, b);", []],
  ["arguments", "f(a, b, c);", ["f(b, a, c);", "f(a, b);"]],
  ["arguments", 'new X("a", "not found");', ['new X("not found", "a");']],
  [
    "regular expression",
    "const x = /^[^a+]\\+b+$/i;",
    [
      "const x = /[^a+]\\+b+$/i;",
      "const x = /^[a+]\\+b+$/i;",
      "const x = /^[^a+]\\+b*$/i;",
      "const x = /^[^a+]\\+b+/i;",
    ],
  ],
  ["regular expression", "const x = /[a]/;", ["const x = /[^a]/;"]],
  ["arguments", "new X(a, `at most`);", ["new X(`at most`, a);"]],
  ["call of a list left out", "x = xs.filter(f).sort();", ["x = xs.filter(f);", "x = xs.sort();"]],
];

test.each(ROWS)("%s: %s", (operator, source, expected) =>
  expect(changesOf(source, operator).toSorted()).toEqual(expected.toSorted()),
);

test("every operator has its row", () => {
  expect(new Set(ROWS.map(([operator]) => operator))).toEqual(new Set(Object.keys(OPERATORS)));
});

test.each([
  [
    "a report to operators",
    'logger.info({ id }, "x.y"); x = (err) => logger.warn({ err }, "x"); if (a) metrics.set("x", 1);',
    [],
  ],
  ["an empty fallback", 'const [a = "", b = c.d ?? ""] = x;', ['const [a = "", b = c.d && ""] = x;']],
  ["a type", 'type T = "a" | "b"; const f = (a: 1 | 2): 3 => a;', []],
  ["an import", 'import { a } from "./a.ts";', []],
  [
    "a mistake that cannot be parsed",
    "const x = (a && b) ?? c;",
    ["const x = (a && b) && c;", "const x = (a || b) ?? c;"],
  ],
])("%s: is left alone", (_, source, expected) => expect(changesOf(source)).toEqual(expected));

test("a mistake names its function, and is counted in characters and lines", () => {
  const source = '/** “Ünïcode” ✓ */\nimport a from "a";\n\nclass Sizes {\n  isBig = () => size > 7;\n}\n';
  expect(mutantsOf(source)).toMatchObject([
    { line: 5, place: "Sizes.isBig", operator: "sign", source: source.replace("> 7", ">= 7") },
    { line: 5, place: "Sizes.isBig", operator: "literal", source: source.replace("> 7", "> 8") },
  ]);
});
