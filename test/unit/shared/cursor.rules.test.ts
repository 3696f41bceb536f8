import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { encodeCursor, readCursor } from "../../../shared/input/cursor.rules.ts";
import { QueryReader } from "../../../shared/input/query-reader.ts";
import { anyText } from "../../support/builders/any-text.ts";

const positionOf = (place: string, id: string) => ({ place, id });
const read = (cursor: string) => {
  const reader = new QueryReader({ cursor });
  return reader.finish(readCursor(reader, positionOf));
};

describe("a cursor", () => {
  test("every place and id: is read as it was written", () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), (place, id) => {
        expect(read(encodeCursor(place, id))).toEqual({ place: String(place), id });
      }),
    );
  });

  test("an empty cursor: begins the list", () => expect(read("")).toBeNull());

  test("any other text, and a place of another list: is refused", () => {
    const refused = expect.objectContaining({ type: "ValidationControl.Error" });
    fc.assert(
      fc.property(anyText(), (text) => {
        if (text !== "" && text.length <= 255 && !text.includes("\0"))
          expect(() => read(text)).toThrow(refused);
      }),
    );
    const reader = new QueryReader({ cursor: encodeCursor(1, "019b76da-a800-7000-8000-00000000000e") });
    readCursor(reader, () => null);
    expect(() => reader.finish(null)).toThrow("cursor: is not a cursor of this list");
  });
});
