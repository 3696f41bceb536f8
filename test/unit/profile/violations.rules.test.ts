import { describe, expect, test } from "@jest/globals";
import { refuse, refuseUpdate } from "../../../services/profile/input/violations.rules.ts";

const fault = (code: string, field = "f") => ({ field, code, message: `broke ${code}` });

/** From the one that names the error before all others to the last. */
const STEPS = [
  ["Partner.BusinessProfileIdMismatch"],
  ["Validation"],
  ["Customer.PartnerCustomerIdRequired", "Customer.PartnerCustomerIdInvalid"],
  ["PhoneNumber.Invalid"],
  ["ValidationControl.Error"],
  ["Country.NotFound", "BusinessType.NotFound", "OnboardingConfig.NotFound", "Ubo.NotFound"],
  ["Customer.Conflict"],
];
const pairs = STEPS.slice(1).flatMap((later, index) =>
  (STEPS[index] ?? []).flatMap((first) => later.map((second) => [first, second] as const)),
);

describe("refuse", () => {
  test.each(pairs)("%s before %s, in any order", (first, second) => {
    expect(refuse([fault(second), fault(first)]).type).toBe(first);
    expect(refuse([fault(first), fault(second)]).data.details).toEqual([fault(first), fault(second)]);
  });

  test.each(STEPS)("within one step: the order in which they were found", (...codes) => {
    for (const order of [codes, codes.toReversed()])
      expect(refuse(order.map((code) => fault(code))).data.details?.map(({ code }) => code)).toEqual(order);
  });

  test("the message names the field, when there is one", () => {
    expect(refuse([fault("Validation", "email")]).message).toBe("email: broke Validation");
    expect(refuse([fault("Validation", "")]).message).toBe("broke Validation");
  });

  test("at most 500 details, the gravest among them", () => {
    const many = Array.from({ length: 600 }, (_, index) => fault("Country.NotFound", `f${index}`));
    const { details } = refuse([...many, fault("Validation", "last")]).data;
    expect(details).toHaveLength(500);
    expect(details?.[0]).toEqual(fault("Validation", "last"));
    expect(details?.[499]).toEqual(fault("Country.NotFound", "f498"));
  });

  test("without a violation: a mistake of ours, not of the caller", () => {
    expect(() => refuse([])).toThrow("There is no violation to refuse for.");
  });
});

describe("refuseUpdate", () => {
  test("a fault of the shape keeps its rank and is reported as ValidationControl.Error", () => {
    const error = refuseUpdate([fault("ValidationControl.Error", "b"), fault("Validation", "a")]);
    expect([error.type, error.code, error.message]).toEqual([
      "ValidationControl.Error",
      400,
      "a: broke Validation",
    ]);
    expect(error.data.details?.map(({ field, code }) => [field, code])).toEqual([
      ["a", "ValidationControl.Error"],
      ["b", "ValidationControl.Error"],
    ]);
  });

  test("other codes stay as they are", () => {
    expect(refuseUpdate([fault("Ubo.NotFound")]).type).toBe("Ubo.NotFound");
  });
});
