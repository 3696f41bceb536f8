/** The table of ASVS is whole: every row of levels 1 and 2 once, and what is said to meet one is there. */
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

/** Of a part of the document: the rows of its tables, and those in its lists of what does not apply. */
const inTables = (text: string): string[] =>
  [...text.matchAll(/^\| (\d+\.\d+\.\d+) L[12] \|/gm)].map(([, row = ""]) => row);
const inLists = (text: string): string[] =>
  [...text.matchAll(/^- ([\d., ]+):/gm)].flatMap(([, rows = ""]) => rows.split(", "));

test("every row of levels 1 and 2 stands there once, and no other", () => {
  expect([...inTables(document), ...inLists(document)].sort()).toEqual(standard.sort());
});

test("the numbers of its introduction are those of the tables", () => {
  const [introduction = "", notMet = "", installation = "", ...chapters] = document.split(/^## /m);
  const met = inTables(chapters.join("")).length;
  const told = [...introduction.matchAll(/\b(\d+) (?:rows|are|do not)\b/g)].map(([, number]) =>
    Number(number),
  );
  expect(told).toEqual([
    standard.length,
    met,
    inTables(notMet).length,
    inTables(installation).length,
    inLists(document).length,
  ]);
});

test("what it quotes is in the file that it names", () => {
  const named = [...document.matchAll(/`([\w.]+\/[\w./-]+)`: ("[^"]+"(?:, "[^"]+")*)/g)];
  const quotes = named.flatMap(([, file = "", texts = ""]) =>
    [...texts.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => ({ file, text })),
  );
  // None is left out because it is written in another way.
  expect(quotes.length).toBe(document.split('"').length >> 1);
  expect(quotes.filter(({ file, text }) => !read(file).includes(text))).toEqual([]);
});
