import { describe, expect, test } from "@jest/globals";
import { type Flag, targetLabel, withFlag, withoutFlag } from "../../../gateway/dashboard/core/targets.ts";
import type { PersonView } from "../../../shared/contract/answers/customer.ts";

const flag = (target: Flag["target"], message = ""): Flag => ({ target, reasonCode: "Other", message });
const withAll = (flags: readonly Flag[]) => flags.reduce(withFlag, [] as readonly Flag[]);
const passport = (issuingCountry: string) =>
  ({
    kind: "Identity",
    uboId: "u1",
    field: "identityValue",
    identityTypeCode: "PASSPORT",
    issuingCountry,
  }) as const;

describe("flags", () => {
  test("a second flag on the same target replaces the first", () => {
    const [website, email] = [
      { kind: "Business", field: "website" },
      { kind: "Business", field: "email" },
    ] as const;
    const flags = withAll([flag(website, "old"), flag(email, "x"), flag(website, "new")]);
    expect(flags.map(({ message }) => message)).toEqual(["x", "new"]);
  });

  test("the same field of two people: two flags", () => {
    const [one, other] = ["a", "b"].map((uboId) => flag({ kind: "Person", uboId, field: "email" })) as [
      Flag,
      Flag,
    ];
    expect(withAll([one, other])).toHaveLength(2);
    expect(withoutFlag([one, other], one)).toEqual([other]);
  });

  test("identities of a person: a flag each, also of one type from two countries", () => {
    const bvn = { ...passport("NGA"), identityTypeCode: "BVN" } as const;
    expect(withAll([flag(passport("NGA")), flag(passport("GBR")), flag(bvn)])).toHaveLength(3);
  });
});

const amina = { uboId: "u1", firstName: "Amina", lastName: "Okafor" } as PersonView;
const nothing = { uboId: null, documentCategory: null, field: null };

test.each([
  [{ ...nothing, kind: "Business" }, "Business"],
  [{ ...nothing, kind: "Business", field: "website" }, "Website"],
  [{ kind: "Person", uboId: "u1", field: "email" }, "Email, Amina Okafor"],
  [{ kind: "Person", uboId: "u9", field: "email" }, "Email"],
  [{ kind: "Document", uboId: "u1", documentCategory: "IdentityFront" }, "Identity front, Amina Okafor"],
  [passport("NGA"), "Passport (NGA), Amina Okafor"],
  [{ kind: "Identity", uboId: "u1", identityTypeCode: "BVN" }, "BVN, Amina Okafor"],
])("the label of %j is %s", (target, label) =>
  expect(targetLabel(target, { businessPersonList: [amina] })).toBe(label),
);
