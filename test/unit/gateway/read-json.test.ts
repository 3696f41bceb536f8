import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { JsonFault, readJson } from "../../../gateway/http/read-json.rules.ts";

const MAX_DEPTH = 20;
const read = (text: string) => readJson(text, MAX_DEPTH);

function faultOf(text: string): { field: string | undefined; message: string } | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { field: error.field, message: error.message };
  }
}

const RANGE = "is a number beyond what a double can hold";
const INTEGER = "is an integer beyond 9007199254740992 (2^53), where JSON numbers lose digits";
const TWICE = "is duplicated in its object";

describe("numbers", () => {
  test.each([
    ["0", 0],
    ["-0", -0],
    ["-0.0e5", -0],
    ["0e99999", 0],
    ["0.1", 0.1],
    ["1.10", 1.1],
    ["0.10000000000000001", 0.1],
    ["33.299999999999997", 33.3],
    ["-1.7976931348623157081e308", -Number.MAX_VALUE],
    ["0.1234567890123456789", 0.12345678901234568],
    ["1.0000000000000000001", 1],
    ["12345678901234567.5", 12345678901234568],
    ["1.2345678901234567e16", 12345678901234568],
    ["3e-324", 5e-324],
    ["1e20", 1e20],
    ["1E+020", 1e20],
    ["9007199254740992", 2 ** 53],
    ["-9007199254740992", -(2 ** 53)],
    ["0.30000000000000004", 0.30000000000000004],
    ["0.48038955244027814", 0.48038955244027814],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["5e-324", Number.MIN_VALUE],
    [`1.${"0".repeat(400)}`, 1],
    [`1.${"0".repeat(17)}`, 1],
    [`0.${"0".repeat(20)}1e21`, 1],
  ])("%s is read", (text, value) => {
    expect(read(text)).toBe(value);
    expect(read(`{"a":[true,${text}]}`)).toEqual({ a: [true, value] });
  });

  test.each([
    ["1e400", RANGE],
    ["-1e400", RANGE],
    ["1e309", RANGE],
    ["1e99999999999999999999", RANGE],
    ["1".repeat(400), RANGE],
    ["12345678901234567", INTEGER],
    ["-12345678901234567", INTEGER],
    ["9007199254740993", INTEGER],
    ["-9007199254740993", INTEGER],
    ["100000000000000000000", INTEGER],
    ["1e-400", RANGE],
    ["-1E-0400", RANGE],
    ["2e-324", RANGE],
  ])("%s is refused: %s", (text, message) => {
    expect(faultOf(text)).toEqual({ field: undefined, message: `The body ${message}.` });
    expect(faultOf(`{"a":1,"list":[[],{"x\\"y":"1e400","b":\t${text}\n}]}`)).toEqual({
      field: "list[1].b",
      message,
    });
  });

  test("inside a text they are text", () => {
    const value = { '1e400"': '\\" 12345678901234567 : 1e400 \\' };
    expect(read(JSON.stringify(value))).toEqual(value);
  });
});

test.each([
  ["[[[]]]", 3],
  ['{"a":{"a":{"a":1}}}', 3],
  ['{"a":[{"a":"\\n"}]}', 3],
])("%s is %i deep: it may be, and not in one level less", (text, depth) => {
  expect(readJson(text, depth)).toEqual(JSON.parse(text));
  expect(() => readJson(text, depth - 1)).toThrow(`at most ${depth - 1} levels`);
});

test("depth is bounded, and a key that is dangerous to copy is dropped", () => {
  expect(() => readJson("[[[]]]", 2)).toThrow("at most 2 levels");
  expect(readJson('{"a": 1, "__proto__": {"b": 2}}', 3)).toEqual({ a: 1 });
});

describe("keys", () => {
  test.each([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"b":{"a":{},"c":[1,{"d":0,"d":{"e":1}}]}}', "b.c[1].d"],
    ['[{"a":1},{"a":{"a":1,"b":2},"b":3,"a":4}]', "[1].a"],
    ['{"a":{"x":1e400},"a":1}', "a.x"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"__proto__":{"a":1,"a":2}}', "__proto__.a"],
    ['{ "a" : [ ] , "b" : "," , "a" : "}" }', "a"],
    [`{"${"k".repeat(500)}":1,"${"k".repeat(500)}":1}`, "k".repeat(200)],
  ])("%s: the fault is at %s", (text, field) => {
    expect(faultOf(text)?.field).toBe(field);
  });

  test("a key that was a value before counts once", () => {
    const text = '{"x":"a","a":"\\\\"}';
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test("an empty key can be duplicated, too", () => {
    expect(faultOf('{"":1,"":2}')).toEqual({ field: undefined, message: `The body ${TWICE}.` });
  });

  test("a duplicated key that V8 reads as another, having seen that one before, is found", () => {
    read(String.raw`{"h":[],"\\":0}`);
    expect(faultOf(String.raw`{"h":1,"\"":2,"\"":3}`)).toEqual({ field: '"', message: TWICE });
  });

  test("in what the second of two keys replaced, depth is bounded all the same", () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    expect(faultOf(`{"a":${deep},"a":1}`)?.message).toBe("The body can be nested at most 20 levels deep.");
  });
});

/** A JSON value in which keys can stand twice. */
type Written = { objects: [string, Written][] } | { list: Written[] } | { text: string };
// Without a backslash, after which V8 reads other keys wrongly.
const key = fc.constantFrom("a", "b", "c", "__proto__", '"', "\n", "1e400", ":");
const number = fc.oneof(
  fc.constantFrom("1e400", "0", "-1.5", "1e20", "12345678901234567", "5e-324"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(JSON.stringify),
);
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .oneof(
        number,
        fc.string().map((text) => JSON.stringify(text)),
      )
      .map((text) => ({ text })),
    fc.array(tie("written"), { maxLength: 4 }).map((list) => ({ list })),
    fc.array(fc.tuple(key, tie("written")), { maxLength: 4 }).map((objects) => ({ objects })),
  ),
}));

const spell = (value: Written): string =>
  "text" in value
    ? value.text
    : "list" in value
      ? `[${value.list.map(spell).join(" ,")}]`
      : `{${value.objects.map(([name, inner]) => `${JSON.stringify(name)} : ${spell(inner)}`).join(",")}}`;

const isFaithful = (value: Written): boolean => {
  if ("list" in value) return value.list.every(isFaithful);
  if ("objects" in value) {
    const names = value.objects.map(([name]) => name);
    return new Set(names).size === names.length && value.objects.every(([, inner]) => isFaithful(inner));
  }
  return value.text !== "1e400" && !(/^-?\d+$/.test(value.text) && Math.abs(Number(value.text)) > 2 ** 53);
};

test("any JSON is read as JSON.parse does, or refused when it has a fault", () => {
  fc.assert(
    fc.property(written, (value) => {
      const text = spell(value);
      if (isFaithful(value)) {
        const withoutPrototype = JSON.parse(text, function (this: object, name, inner) {
          return name === "__proto__" ? undefined : inner;
        });
        expect(read(text)).toEqual(withoutPrototype);
      } else expect(faultOf(text)).not.toBeNull();
    }),
    { numRuns: 500 },
  );
});
