import { describe, expect, test } from "@jest/globals";
import { describedProblem, MAX_SIZE_BYTES, typeMatches } from "../../../services/document/file.rules.ts";

const PDF = Buffer.from("%PDF-1.7\n");
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73]);

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

describe("typeMatches", () => {
  test.each([
    ["a PDF", PDF, "application/pdf", true],
    ["a PNG", PNG, "image/png", true],
    ["a JPEG", JPEG, "image/jpeg", true],
    ["a PNG", PNG, "image/jpeg", false],
    ["a JPEG", JPEG, "image/png", false],
    ["a PDF", PDF, "image/png", false],
    ["a ZIP", Buffer.from("PK\u0003\u0004"), "application/pdf", false],
    ["a program", Buffer.from("MZ\u0090\0"), "application/pdf", false],
    ["HTML that holds a PDF further on", Buffer.from("<html>%PDF-1.7"), "application/pdf", false],
    ["a PDF behind white space", Buffer.from(" %PDF-1.7"), "application/pdf", false],
    ["the EICAR test file", Buffer.from("X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR"), "application/pdf", false],
    ["half a signature", PNG.subarray(0, 7), "image/png", false],
    ["nothing", Buffer.alloc(0), "image/jpeg", false],
  ] as const)("%s uploaded as %s %s: %s", (_, bytes, contentType, matches) => {
    expect(typeMatches(bytes, contentType)).toBe(matches);
  });
});
