import { describe, expect, test } from "@jest/globals";
import {
  disabledWords,
  documentWords,
  endpointWords,
  reasonInWords,
  refusalWords,
  requestWords,
  verificationWords,
} from "../../../gateway/dashboard/core/words.ts";

describe("words of a value", () => {
  test("known values: their label, and the tone of their badge", () => {
    expect(verificationWords("ChangesRequested")).toEqual({ label: "Changes requested", tone: "warn" });
    expect(endpointWords("Active")).toEqual({ label: "Active", tone: "good" });
  });

  // `constructor` is a property of every object.
  test.each(["OnHold", "constructor"])(
    "%s, which this page does not know: its own name, without a tone",
    (value) => {
      expect(verificationWords(value as never)).toEqual({ label: value });
      expect(endpointWords(value as never)).toEqual({ label: value });
      expect(requestWords(value as never)).toEqual({ label: value });
      expect(documentWords(value as never)).toEqual({ label: value });
      expect(disabledWords(value)).toBe(value);
      expect(reasonInWords(value)).toBe(value);
      expect(refusalWords(value)).toBe("See the message.");
    },
  );
});
