import { describe, expect, test } from "@jest/globals";
import { refuseUnknownNames } from "../../../gateway/http/query-names.rules.ts";
import { readHeaders } from "../../../gateway/http/request-headers.ts";

const known = new Set(["page", "pageSize", "cursor"]);
const refused = (query: object) => {
  try {
    refuseUnknownNames({ ...query }, known);
    return null;
  } catch (error) {
    return error;
  }
};

describe("query names", () => {
  test("known ones, whatever their values, and none: pass", () => {
    for (const query of [{}, { page: "x" }, { page: ["1", "2"], cursor: "" }])
      expect(refused(query)).toBeNull();
  });

  test("others: are refused by name, with the one that was meant", () => {
    expect(refused({ page: "1", pagesize: "2", colour: "3" })).toMatchObject({
      type: "ValidationControl.Error",
      code: 400,
      message: "Unknown query parameters: pagesize, colour. Correct or remove them.",
      data: {
        details: [
          {
            field: "pagesize",
            code: "ValidationControl.Error",
            rule: "Query.Unknown",
            message: "is not a query parameter of this address; did you mean pageSize?",
          },
          { field: "colour", message: "is not a query parameter of this address" },
        ],
      },
    });
  });

  test("many long ones: twenty of a hundred characters are named", () => {
    const query = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${"q".repeat(300)}${i}`, "1"]));
    const { details } = (refused(query) as { data: { details: { field: string }[] } }).data;
    expect(details.map(({ field }) => field.length)).toEqual(Array(20).fill(100));
  });
});

const ROW = { method: "POST", auth: "partner" } as const;

describe("Idempotency-Key", () => {
  const keyOf = (value: string | undefined, row: Parameters<typeof readHeaders>[0] = ROW) =>
    readHeaders(row, { headers: value === undefined ? {} : { "idempotency-key": value } }).idempotencyKey;

  test("the key of a partner's POST is read unchanged, or null", () => {
    expect([keyOf("a"), keyOf("k".repeat(255)), keyOf(undefined)]).toEqual(["a", "k".repeat(255), null]);
  });

  test("the key of any other request means nothing", () => {
    for (const row of [
      { ...ROW, method: "PUT" as const },
      { ...ROW, auth: "user" as const },
    ])
      expect(keyOf("", row)).toBeNull();
  });

  test.each(["", "with blank", "k".repeat(256), "caf\u00e9"])("%p: is refused by name", (value) => {
    expect(() => keyOf(value)).toThrow("Idempotency-Key: must be 1 to 255 visible ASCII characters");
  });
});

describe("Svc-Strict", () => {
  const strictOf = (value?: string) =>
    readHeaders(ROW, { headers: value === undefined ? {} : { "svc-strict": value } }).isStrict;

  test("true, false and absent", () => {
    expect([strictOf("true"), strictOf("false"), strictOf()]).toEqual([true, false, false]);
  });

  test.each(["", "yes", "TRUE", "true, true"])("%p: is refused by name", (value) => {
    expect(() => strictOf(value)).toThrow("Svc-Strict: must be true or false");
  });
});

describe("Svc-Sandbox", () => {
  const read = (auth: "user" | "partner", value: string) =>
    readHeaders({ method: "GET", auth }, { headers: { "svc-sandbox": value } });

  test.each(["yes", "TRUE", "", "1"])("%j of a signed-in person: 400 Validation", (value) => {
    expect(() => read("user", value)).toThrow(
      expect.objectContaining({
        type: "Validation",
        code: 400,
        message: "Svc-Sandbox: must be true or false",
      }),
    );
  });

  test("true and false are taken; on other routes the header means nothing", () => {
    for (const value of ["true", "false"]) expect(() => read("user", value)).not.toThrow();
    expect(() => read("partner", "yes")).not.toThrow();
  });
});
