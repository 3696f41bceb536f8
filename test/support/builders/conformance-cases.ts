/** From one row per field: what happens when it is absent, null, of a wrong type, empty, at and over its limit, outside its vocabulary. */
import { dayFromNow } from "./profile-builders.ts";

type Expected = "accepted" | { code: string; field: string };
export type Case = { table: string; field: string; what: string; value: unknown; expected: Expected };

/** Not a value: the field is left out. */
const ABSENT = Symbol("absent");

type Codes = { shape: string; vocabulary: string };

type Row = {
  field: string;
  required?: boolean;
  kind: Kind;
  /** Where the code of a missing value differs. */
  missing?: string;
};

type Kind =
  | { type: "text"; max: number; min?: number; blankRefused?: boolean; sample?: string }
  | { type: "email" }
  | { type: "phone" }
  | { type: "website" }
  | { type: "country" }
  | { type: "businessType" }
  | { type: "vocabulary"; values: readonly string[] }
  | { type: "day"; past?: boolean; notFuture?: boolean; future?: boolean }
  | { type: "uuid" }
  | { type: "share" }
  | { type: "flag" }
  | { type: "list"; max: number; empty: boolean; item: unknown; itemCode: string }
  | { type: "object" }
  | { type: "reference" }
  | { type: "own" };

const CONTROL = "ValidationControl.Error";
const WRONG_TEXTS: [string, unknown][] = [
  ["a number", 42],
  ["a boolean", true],
  ["an operator", { $ne: null }],
  ["a list", ["text"]],
];
const WRONG_LISTS: [string, unknown][] = [
  ["a text", "text"],
  ["an object", { 0: "x" }],
  ["a number", 7],
];

/** The cases of one table; at says where a field of the table stands in the body. */
export function casesOf(
  table: string,
  rows: readonly Row[],
  codes: Codes,
  at = (field: string) => field,
): Case[] {
  return rows.flatMap((row) => {
    const bad = (code = codes.shape): Expected => ({ code, field: at(row.field) });
    const one = (what: string, value: unknown, expected: Expected): Case => ({
      table,
      field: row.field,
      what,
      value,
      expected,
    });
    const missing: Expected = row.required ? bad(row.missing ?? codes.shape) : "accepted";
    return [
      one("absent", ABSENT, missing),
      one("null", null, missing),
      ...kindCases(row, codes, bad).map(([what, value, expected]) => one(what, value, expected)),
    ];
  });
}

type Short = [string, unknown, Expected];

function kindCases(
  { kind, required = false, missing }: Row,
  codes: Codes,
  bad: (code?: string) => Expected,
): Short[] {
  const wrong = (values: [string, unknown][], code = codes.shape): Short[] =>
    values.map(([what, value]) => [what, value, bad(code)]);
  const texts = (list: string[], code: string | undefined, what: string): Short[] =>
    list.map((value) => [`${what} ${JSON.stringify(value).slice(0, 40)}`, value, bad(code)]);
  switch (kind.type) {
    case "text": {
      const { max, min = 1, sample = "x" } = kind;
      const long = (length: number) => sample.repeat(Math.ceil(length / sample.length)).slice(0, length);
      return [
        ...wrong(WRONG_TEXTS),
        ["empty", "", required ? bad() : "accepted"],
        ...(required ? texts(["   "], undefined, "blank") : []),
        ["at the limit", long(max), "accepted"],
        ["over the limit", long(max + 1), bad()],
        ...(min > 1
          ? ([
              ["at the least", long(min), "accepted"],
              ["below the least", long(min - 1), bad()],
            ] as Short[])
          : []),
      ];
    }
    case "email":
      return [
        ...wrong(WRONG_TEXTS),
        ...texts(["", "no-at", "two@at@x", "with space@x", "@x", "x@"], undefined, "malformed"),
        ["at the limit", `${"a".repeat(243)}@example.com`, "accepted"],
        ["over the limit", `${"a".repeat(244)}@example.com`, bad()],
      ];
    case "phone":
      return [
        ...wrong(WRONG_TEXTS),
        ["at the limit", "+123456789012345", "accepted"],
        ["at the least", "+1234567", "accepted"],
        ...texts(
          [
            "",
            "+123456",
            "+1234567890123456",
            "2348012345678",
            "+0801234567",
            "+234-801",
            "00234801234567",
            "+234 801 234 5678",
            "+٢٣٤٨٠١٢٣٤٥٦٧٨",
            "+2348012345678\n",
          ],
          "PhoneNumber.Invalid",
          "malformed",
        ),
      ];
    case "website":
      return [
        ...wrong(WRONG_TEXTS),
        ...texts(
          [
            "",
            "example.com",
            "//example.com",
            "ftp://example.com",
            "javascript:alert(1)",
            "https://",
            "https:a.example",
            "https://a b",
            "https://[::1",
          ],
          undefined,
          "malformed",
        ),
        ["in capitals", "HTTP://A.example/x?y#z", "accepted"],
        ["at the limit", `https://example.com/${"a".repeat(235)}`, "accepted"],
        ["over the limit", `https://example.com/${"a".repeat(236)}`, bad()],
      ];
    case "country":
      return [
        ...wrong(WRONG_TEXTS),
        ...texts(["", "ng", "nga", "NG", "NGAA", "N1A"], codes.vocabulary, "malformed"),
        ...texts(["ZZZ", "XKX"], "Country.NotFound", "unknown"),
      ];
    case "businessType":
      return [
        ...wrong(WRONG_TEXTS),
        ["empty", "", bad()],
        ["in capitals", "LLC", "accepted"],
        ["in lower case", "llc", "accepted"],
        ["in mixed case", "fINANCIALiNSTITUTION", "accepted"],
        ...texts(["SOLE_PROPRIETOR", "_"], codes.vocabulary, "with an underscore"),
        ...texts(["Unheard", "L L C"], "BusinessType.NotFound", "unknown"),
      ];
    case "vocabulary":
      return [
        ...wrong(WRONG_TEXTS),
        ...texts(
          ["", "Unheard", String(kind.values[0]).toLowerCase(), `${kind.values[0]} `],
          codes.vocabulary,
          "outside",
        ),
        ...kind.values.map((value): Short => [`the value ${value}`, value, "accepted"]),
      ];
    case "day":
      return [
        ...wrong(WRONG_TEXTS),
        ...texts(
          ["", "20-01-2020", "2020/01/20", "2020-1-2", "2020-01-20T00:00:00Z"],
          undefined,
          "malformed",
        ),
        ...texts(["2023-02-29", "2023-13-01", "2023-00-10"], undefined, "not in the calendar"),
        ...dayLimits(kind, bad),
      ];
    case "uuid":
      return [
        ...wrong(WRONG_TEXTS),
        ...texts(["", "not-a-uuid", "0190b5c8-7f3a-7c2e-9d4b"], undefined, "malformed"),
        ["a UUID", "0190b5c8-7f3a-7c2e-9d4b-3f5a6b7c8d9e", "accepted"],
      ];
    case "share":
      return [
        ["a text", "50", bad()],
        ["a fraction", 12.5, bad()],
        ["an operator", { $gt: 0 }, bad()],
        ["below the least", 0, bad()],
        ["negative", -1, bad()],
        ["at the least", 1, "accepted"],
        ["at the limit", 100, "accepted"],
        ["over the limit", 101, bad()],
      ];
    case "flag":
      return [
        ["true", true, "accepted"],
        ["false", false, "accepted"],
        ["a text", "true", bad()],
        ["a number", 1, bad()],
      ];
    case "list":
      return [
        ...wrong(WRONG_LISTS),
        ["empty", [], kind.empty ? "accepted" : bad()],
        ["over the limit", Array.from({ length: kind.max + 1 }, () => kind.item), bad(kind.itemCode)],
      ];
    case "object":
      return wrong([...WRONG_LISTS.filter(([what]) => what !== "an object"), ["a list", []]]);
    case "reference":
      return [
        ...wrong(WRONG_TEXTS, "Customer.PartnerCustomerIdInvalid"),
        ["empty", "", bad(missing)],
        ["every character", "A1._:@-z", "accepted"],
        ["at the limit", "a".repeat(100), "accepted"],
        ...texts(
          ["-a", ".a", "a b", "a/b", "é", "a\n", "a".repeat(101)],
          "Customer.PartnerCustomerIdInvalid",
          "malformed",
        ),
      ];
    case "own":
      return wrong([
        ["a number", 42],
        ["an operator", { $ne: null }],
      ]);
  }
}

function dayLimits(kind: Extract<Kind, { type: "day" }>, bad: () => Expected): Short[] {
  const at = (days: number) => dayFromNow(days);
  if (kind.past)
    return [
      ["yesterday", at(-1), "accepted"],
      ["today", at(0), bad()],
      ["tomorrow", at(1), bad()],
    ];
  if (kind.notFuture)
    return [
      ["today", at(0), "accepted"],
      ["tomorrow", at(1), bad()],
    ];
  if (kind.future)
    return [
      ["tomorrow", at(1), "accepted"],
      ["today", at(0), bad()],
    ];
  return [["a day", "2020-02-29", "accepted"]];
}

/** Puts a value at a path such as businessPersonList[0].address.city; ABSENT takes it away. */
const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean);

export const valueAt = (body: unknown, path: string): unknown =>
  stepsOf(path).reduce((at, step) => (at as Record<string, unknown> | undefined)?.[step], body);

export function withValue<T>(body: T, path: string, value: unknown): T {
  const copy = structuredClone(body);
  const steps = stepsOf(path);
  const last = steps.pop() ?? "";
  let at = copy as Record<string, unknown>;
  for (const step of steps) at = at[step] as Record<string, unknown>;
  if (value === ABSENT) delete at[last];
  else at[last] = value;
  return copy;
}

export type { Codes, Row };
export { CONTROL };
