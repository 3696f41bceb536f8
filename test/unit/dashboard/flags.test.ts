import { describe, expect, test } from "@jest/globals";
import { asRequest, type Flag, withFlag, withoutFlag } from "../../../gateway/dashboard/core/flags.ts";

const flag = (field: string, message: string): Flag => ({
  target: { kind: "Business", field },
  reasonCode: "Other",
  message,
});

describe("flags", () => {
  test("a second flag on the same thing takes the place of the first", () => {
    const flags = withFlag(
      withFlag(withFlag([], flag("website", "old")), flag("email", "x")),
      flag("website", "new"),
    );
    expect(flags.map(({ message }) => message)).toEqual(["x", "new"]);
  });

  test("the same field of two people: two flags", () => {
    const of = (uboId: string): Flag => ({
      ...flag("email", uboId),
      target: { kind: "Person", uboId, field: "email" },
    });
    expect(withFlag(withFlag([], of("a")), of("b"))).toHaveLength(2);
    expect(withoutFlag([of("a"), of("b")], of("a"))).toEqual([of("b")]);
  });

  test("two identities of a person: two flags, also of one type from two countries", () => {
    const of = (identityTypeCode: "PASSPORT" | "BVN", issuingCountry: string): Flag => ({
      ...flag("identityValue", identityTypeCode + issuingCountry),
      target: { kind: "Identity", uboId: "a", field: "identityValue", identityTypeCode, issuingCountry },
    });
    const flags = [of("PASSPORT", "NGA"), of("PASSPORT", "GBR"), of("BVN", "NGA")].reduce(
      withFlag,
      [] as readonly Flag[],
    );
    expect(flags).toHaveLength(3);
  });

  test("become one request without what is only for the page", () => {
    expect(asRequest([flag("website", "is not reachable")])).toEqual({
      items: [
        { target: { kind: "Business", field: "website" }, reasonCode: "Other", message: "is not reachable" },
      ],
    });
  });
});
