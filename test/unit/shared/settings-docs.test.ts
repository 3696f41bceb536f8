import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { SETTINGS } from "../../../shared/config.ts";
import {
  ENV_EXAMPLE_FILE,
  envExample,
  README_FILE,
  readmeTable,
  readmeWithTable,
} from "../../support/settings-docs.ts";

const names = Object.values(SETTINGS).map((row) => row.env);
const readme = readFileSync(README_FILE, "utf8");
const example = readFileSync(ENV_EXAMPLE_FILE, "utf8");

/** `deploy/run-node test/support/settings-docs.ts` brings both up to date. */
describe("documents of the settings", () => {
  test(".env.example holds every setting once, with its default and reason, and no other", () => {
    expect([...example.matchAll(/^#? ?(PBO_\w+)=/gm)].map(([, name]) => name)).toEqual(names);
    expect(example).toBe(envExample());
  });

  test("the README's table holds every setting once and no other", () => {
    expect([...readmeTable().matchAll(/^\| `(PBO_\w+)` \|/gm)].map(([, name]) => name)).toEqual(names);
    expect(readme).toBe(readmeWithTable(readme));
  });

  test("every setting says what it is for, and no two share a variable", () => {
    expect(new Set(names).size).toBe(names.length);
    for (const row of Object.values(SETTINGS)) {
      expect(row.env).toMatch(/^PBO_[A-Z0-9_]+$/);
      expect(row.description.length).toBeGreaterThan(5);
    }
  });
});
