/** The pages, sections, files, commands and rooms that a document names exist. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { projectDir } from "../../../deploy/lib/paths.ts";

const DOCUMENTS = globSync("{*,{.github,gateway,services,shared,deploy,test}/**/*}.md", {
  cwd: projectDir,
  exclude: ["**/node_modules"],
});
/** Pages of /docs, whose links and placeholders are those of a running gateway. */
const GUIDES = "gateway/openapi/pages/guides/";
const MAX_README_LINES = 120;
const MAX_WORDS = 4_000;
const MAX_WORDS_IN_ALL = 20_000;

const read = (file: string): string => readFileSync(join(projectDir, file), "utf8");
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** As GitHub makes it of a heading. */
const anchors = (text: string): string[] =>
  matches(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

const isThere = (document: string, link: string): boolean => {
  const [path = "", section] = link.split("#");
  const file = path ? join(dirname(document), path) : document;
  if (!existsSync(join(projectDir, file))) return false;
  return section === undefined || anchors(read(file)).includes(section);
};

describe.each(DOCUMENTS.filter((document) => !document.startsWith(GUIDES)))("%s", (document) => {
  const text = read(document);

  test("its links lead somewhere", () => {
    const links = matches(text, /\]\(([^)]+)\)/g).filter((link) => !link.startsWith("https://"));
    expect(links.filter((link) => !isThere(document, link))).toEqual([]);
  });

  test("the files that it names exist", () => {
    const files = matches(text, /`((?:gateway|services|shared|deploy|test|\.github)\/[\w./-]*)`/g);
    expect(files.filter((file) => !existsSync(join(projectDir, file)))).toEqual([]);
  });

  test("the npm commands that it names exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = matches(text, /npm run (?:--silent )?([\w:]+)/g);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

test("documents: each is short, and all of them are", () => {
  expect(DOCUMENTS.length).toBeGreaterThan(20);
  const words = DOCUMENTS.map((document) => read(document).split(/\s+/).filter(Boolean).length);
  expect(DOCUMENTS.filter((_, index) => (words[index] ?? 0) > MAX_WORDS)).toEqual([]);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_WORDS_IN_ALL);
});

test("the README fits on a page", () => {
  expect(read("README.md").split("\n").length - 1).toBeLessThanOrEqual(MAX_README_LINES);
});

test("the code map names every service and every room", () => {
  // Built files are no folder of the source.
  const rooms = globSync("{gateway,shared,services/*}/*/", {
    cwd: projectDir,
    exclude: ["gateway/dist/"],
  }).map((dir) => dir.replace(/\/$/, ""));
  expect(rooms.length).toBeGreaterThan(25);
  const map = read("ARCHITECTURE.md");
  expect(rooms.filter((room) => !map.includes(`\`${room}`))).toEqual([]);
});
