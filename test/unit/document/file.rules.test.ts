import { describe, expect, test } from "@jest/globals";
import { describedProblem, isRemovedAtOnce } from "../../../services/document/file/file.rules.ts";
import { MAX_SIZE_BYTES } from "../../../shared/contract/answers/document.ts";

describe("describedProblem", () => {
  const file = { etag: "e", versionId: null, uploadedAt: new Date(0) };
  test.each([
    [0, "application/pdf", "Empty"],
    [1, "application/pdf", null],
    [MAX_SIZE_BYTES, "application/pdf", null],
    [MAX_SIZE_BYTES + 1, "application/pdf", "TooLarge"],
    [10, "image/png", "WrongType"],
    [10, null, "WrongType"],
    [0, "image/png", "Empty"],
  ])("%i bytes stored as %s for a PDF link: %s", (sizeBytes, contentType, problem) => {
    const wanted = { contentType: "application/pdf" as const, wantedSizeBytes: null };
    expect(describedProblem({ ...file, sizeBytes, contentType }, wanted)).toBe(problem);
  });

  test("another size than its link was asked for: Mismatch", () => {
    const contentType = "application/pdf" as const;
    const problems = [9, 10, 11].map((sizeBytes) =>
      describedProblem({ ...file, sizeBytes, contentType }, { contentType, wantedSizeBytes: 10 }),
    );
    expect(problems).toEqual(["Mismatch", null, "Mismatch"]);
  });
});

test("a file that is too large or dangerous is removed at once, no other", () => {
  const reasons = ["TooLarge", "Malware", "WrongType", "Empty", "Mismatch", null] as const;
  expect(reasons.filter(isRemovedAtOnce)).toEqual(["TooLarge", "Malware"]);
});
