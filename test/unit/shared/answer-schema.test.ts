/** The type of an answer, inferred from its schema. The compiler is the test: a wrong type does not pass `npm run check`. */
import { describe, expect, test } from "@jest/globals";
import {
  type Answer,
  always,
  described,
  list,
  oneOf,
  orNull,
  type pageOf,
  record,
  text,
} from "../../../shared/contract/answer-schema.ts";
import type { caseDetailValue } from "../../../shared/contract/answers/case.ts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(isSame: Same<A, B>) => isSame;

const item = record({
  kind: oneOf(["Open", "Closed"]),
  version: always(1),
  note: described(orNull(text), "Of the person who asked."),
  tags: list(text),
  detail: { type: "object" },
});
type Item = {
  kind: "Open" | "Closed";
  version: 1;
  note: string | null;
  tags: readonly string[];
  detail: unknown;
};

describe("Answer", () => {
  test("Answer: every building block, nested, has the type of its values", () => {
    expect(same<Answer<typeof item>, Item>(true)).toBe(true);
    expect(same<Answer<ReturnType<typeof pageOf<Item>>>["items"], readonly Item[]>(true)).toBe(true);
  });

  test("Answer: a renamed field of a whole answer is a compile error", () => {
    expect(same<Answer<typeof caseDetailValue>["reviewStage"], string>(false)).toBe(false);
    expect(same<Answer<typeof caseDetailValue>["verification"]["version"], number>(true)).toBe(true);
  });

  test("Answer: the type leaves nothing at run time", () => {
    expect(Reflect.ownKeys(item)).toEqual(["type", "required", "properties"]);
  });
});
