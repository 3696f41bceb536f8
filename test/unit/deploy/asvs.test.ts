/** ASVS.md has every row of levels 1 and 2 once, and the quoted tests exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";

const read = (file: string): string => readFileSync(join(projectDir, file), "utf8");
const document = read("deploy/ASVS.md");

/** How many rows of level 1 or 2 a section of ASVS 5.0.0 has, by chapter; they come first in it, so 3 means 1, 2 and 3. */
const SECTIONS: Record<number, Record<number, number>> = {
  1: { 1: 2, 2: 9, 3: 11, 4: 3, 5: 2 },
  2: { 1: 3, 2: 3, 3: 4, 4: 1 },
  3: { 2: 2, 3: 4, 4: 6, 5: 5, 7: 2 },
  4: { 1: 3, 2: 1, 3: 2, 4: 4 },
  5: { 1: 1, 2: 3, 3: 2, 4: 3 },
  6: { 1: 3, 2: 12, 3: 4, 4: 4, 5: 5, 6: 3, 8: 4 },
  7: { 1: 3, 2: 4, 3: 2, 4: 5, 5: 2, 6: 2 },
  8: { 1: 2, 2: 3, 3: 1, 4: 1 },
  9: { 1: 3, 2: 4 },
  10: { 1: 2, 2: 2, 3: 4, 4: 11, 5: 5, 6: 2, 7: 3 },
  11: { 1: 2, 2: 3, 3: 3, 4: 4, 5: 1, 6: 1 },
  12: { 1: 3, 2: 2, 3: 4 },
  13: { 1: 1, 2: 5, 3: 2, 4: 5 },
  14: { 1: 2, 2: 4, 3: 3 },
  15: { 1: 3, 2: 3, 3: 7 },
  16: { 1: 1, 2: 5, 3: 4, 4: 3, 5: 3 },
  17: { 1: 1, 2: 4, 3: 2 },
};

const standard = Object.entries(SECTIONS).flatMap(([chapter, sections]) =>
  Object.entries(sections).flatMap(([section, rows]) =>
    Array.from({ length: rows }, (_, index) => `${chapter}.${section}.${index + 1}`),
  ),
);

const rowsOf = (text: string): string[] =>
  [...text.matchAll(/^- \*\*([\d., ]+)\*\* /gm)].flatMap(([, rows = ""]) => rows.split(", "));

test("every row of levels 1 and 2 appears once, and no other", () => {
  expect(rowsOf(document).sort()).toEqual(standard.sort());
});

test("the numbers of the introduction are those of the sections", () => {
  const [introduction = "", notMet = "", installation = "", met = "", notApplicable = ""] =
    document.split(/^## /m);
  const counts = [...introduction.matchAll(/\b(\d+) (?:rows|are|do not)\b/g)].map(([, count]) =>
    Number(count),
  );
  expect(counts).toEqual(
    [document, met, notMet, installation, notApplicable].map((section) => rowsOf(section).length),
  );
});

test("each quote is in the file before it", () => {
  const named = [...document.matchAll(/`([\w.]+\/[\w./-]+)`: ("[^"]+"(?:, "[^"]+")*)/g)];
  const quotes = named.flatMap(([, file = "", texts = ""]) =>
    [...texts.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => ({ file, text })),
  );
  // No quote escapes the pattern.
  expect(quotes.length).toBe(document.split('"').length >> 1);
  expect(quotes.filter(({ file, text }) => !read(file).includes(text))).toEqual([]);
});
