import { expect, test } from "@jest/globals";
import { readErasureReference } from "../../../services/profile/upkeep/erasure-reference.rules.ts";

test.each(["ticket-4711", "7", "a/b:c#d.e_f-1", `1${"a".repeat(63)}`])(
  "the reason of an erasure may be the reference %s",
  (reason) => {
    expect(readErasureReference(reason)).toBe(reason);
  },
);

test.each([
  ["a text with spaces", "at the request of 1 customer"],
  ["a name without a digit", "smith"],
  ["an email address", "smith1@example.test"],
  ["a leading separator", "-4711"],
  ["65 characters", "1".repeat(65)],
  ["nothing", undefined],
  ["a number", 4711],
])("the reason of an erasure is refused when it is %s", (_, reason) => {
  expect(() => readErasureReference(reason)).toThrow(
    expect.objectContaining({ type: "ValidationControl.Error" }),
  );
});
