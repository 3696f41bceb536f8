import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { nearestName } from "../../../shared/input/nearest-name.rules.ts";
import { compileUnknown } from "../../../shared/input/unknown-properties.rules.ts";

describe("nearestName", () => {
  const names = ["companyName", "registrationNumber", "name", "email", "businessEmail"];
  test.each([
    ["compnayName", "companyName"],
    ["company_name", "companyName"],
    ["COMPANYNAME", "companyName"],
    ["registrationNum", "registrationNumber"],
    ["contactEmail", "email"],
    ["colour", null],
  ])("%s: %s", (given, expected) => {
    expect(nearestName(given, names)).toBe(expected);
  });

  test.each([
    ["as long as a name can be", "n".repeat(64), ["n".repeat(64)], "n".repeat(64)],
    ["longer", "n".repeat(65), ["n".repeat(65)], null],
    ["with one inside that is long enough", "tradingName", ["name"], "name"],
    ["with one inside that is too short", "fullage", ["age"], null],
    ["with a third of mistakes", "abcdefghijkl", ["abcdefghWXYZ"], "abcdefghWXYZ"],
    ["with more mistakes", "abcdefghijkl", ["abcdefgVWXYZ"], null],
    ["with separators all over", "a_b-c.d", ["abcd"], "abcd"],
    ["with one exchanged, beside one with two more", "abcd", ["abcdef", "abxd"], "abxd"],
    ["with one too many, beside one with two exchanged", "abcd", ["abxy", "abc"], "abc"],
    ["with one too few, beside one with two exchanged", "abcd", ["abxy", "abcde"], "abcde"],
  ])("a name %s", (_, given, known, expected) => {
    expect(nearestName(given, known)).toBe(expected);
  });

  test("a name itself, and one with a single mistake: is found", () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(), fc.constantFrom("", "z"), (name, at, put) => {
        const place = at % name.length;
        expect(nearestName(name, names)).toBe(name);
        const spoiled = name.slice(0, place) + put + name.slice(place + 1);
        expect(nearestName(spoiled, [name])).toBe(name);
      }),
    );
  });
});

describe("compileUnknown", () => {
  const unknown = compileUnknown({
    name: { type: "string" },
    address: { type: "object", props: { city: { type: "string" } } },
    people: { type: "array", items: { type: "object", props: { email: { type: "string" } } } },
    tags: { type: "array", items: { type: "string" } },
  });

  test("properties of the schema, at any depth and of any type: nothing", () => {
    expect(unknown({ name: 1, address: { city: null }, people: [{ email: "a" }], tags: ["b"] })).toEqual([]);
    expect(unknown({ address: "none", people: { email: "a" }, tags: null })).toEqual([]);
    for (const body of [null, undefined, 7, [], "text"]) expect(unknown(body)).toEqual([]);
  });

  test("unknown properties: the path and the intended name", () => {
    expect(unknown({ nmae: "a", address: { City: "b", zip: 1 }, people: [{}, { mail: "c" }] })).toEqual([
      {
        field: "nmae",
        code: "Property.Unknown",
        message: "is not known here and is ignored; did you mean name?",
      },
      {
        field: "address.City",
        code: "Property.Unknown",
        message: "is not known here and is ignored; did you mean city?",
      },
      { field: "address.zip", code: "Property.Unknown", message: "is not known here and is ignored" },
      {
        field: "people[1].mail",
        code: "Property.Unknown",
        message: "is not known here and is ignored; did you mean email?",
      },
    ]);
  });

  test("in one of several items, or beside values of another type: only those", () => {
    const fields = (body: unknown) => unknown(body).map(({ field }) => field);
    expect(fields({ people: [{}, { mail: "c" }] })).toEqual(["people[1].mail"]);
    expect(fields({ nmae: 1, address: [{}], people: { email: "a" }, tags: null })).toEqual(["nmae"]);
  });

  test("a hostile body: fifty names of a hundred characters at most", () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i}${"x".repeat(500)}`, i]));
    const found = unknown({ people: [body, body] });
    expect(found).toHaveLength(50);
    expect(Math.max(...found.map(({ field }) => field.length))).toBe("people[0].".length + 100);
  });

  test("properties that a read shows are ignored without a remark, at any depth", () => {
    const schema = {
      name: { type: "string" },
      people: { type: "array", items: { type: "object", props: { email: { type: "string" } } } },
    } as const;
    const shown = { id: true, people: { uboId: true }, review: { stage: true } } as const;
    const withShown = compileUnknown(schema, shown);
    const body = { id: 1, name: "a", people: [{ email: "e", uboId: "u" }], review: { stage: "s" } };
    expect(withShown(body)).toEqual([]);
    const fields = withShown({ ...body, people: [{ uboid: "u" }], review: { stage: "s", by: "b" } });
    expect(fields.map(({ field }) => field)).toEqual(["people[0].uboid", "review.by"]);
  });

  test("names that every object has: are not known", () => {
    expect(unknown(JSON.parse('{"constructor":1,"toString":2,"__proto__":3}'))).toHaveLength(3);
  });
});
