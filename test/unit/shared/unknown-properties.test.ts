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
    ["x", null],
    ["colour", null],
    ["n".repeat(65), null],
  ])("%s: %s", (given, expected) => {
    expect(nearestName(given, names)).toBe(expected);
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

  test("what the schema knows, at any depth and of any type: nothing", () => {
    expect(unknown({ name: 1, address: { city: null }, people: [{ email: "a" }], tags: ["b"] })).toEqual([]);
    expect(unknown({ address: "none", people: { email: "a" }, tags: null })).toEqual([]);
    for (const body of [null, undefined, 7, [], "text"]) expect(unknown(body)).toEqual([]);
  });

  test("what it does not know: the path and the name that was meant", () => {
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

  test("a hostile body: fifty names of a hundred characters at most", () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i}${"x".repeat(500)}`, i]));
    const found = unknown({ people: [body, body] });
    expect(found).toHaveLength(50);
    expect(Math.max(...found.map(({ field }) => field.length))).toBe("people[0].".length + 100);
  });

  test("names that every object has: are not known", () => {
    expect(unknown(JSON.parse('{"constructor":1,"toString":2,"__proto__":3}'))).toHaveLength(3);
  });
});
