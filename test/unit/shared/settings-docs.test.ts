import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { SETTINGS } from "../../../shared/config/config.ts";
import { type ProcessName, SERVICE_NAMES } from "../../../shared/config/process-names.ts";
import {
  ENV_EXAMPLE_FILE,
  envExample,
  GUIDE_FILE,
  guideWithSettings,
  settingsList,
} from "../../support/settings-docs.ts";

const names = Object.values(SETTINGS).map((row) => row.env);
const guide = readFileSync(GUIDE_FILE, "utf8");
const example = readFileSync(ENV_EXAMPLE_FILE, "utf8");

const PROCESSES: ProcessName[] = [...SERVICE_NAMES, "gateway"];
/** Names that code uses for other things too. */
const ORDINARY_WORDS = ["host", "port"];
const codeOf = (process: ProcessName): string[] => {
  const folder = join(
    import.meta.dirname,
    "../../..",
    process === "gateway" ? process : `services/${process}`,
  );
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(folder, file), "utf8"));
};
const reads = (code: string, key: string): boolean => new RegExp(`\\b${key}\\b`).test(code);

/** `deploy/run-node test/support/settings-docs.ts` brings both up to date. */
describe("documents of the settings", () => {
  test(".env.example holds every setting once, with its default and reason, and no other", () => {
    expect([...example.matchAll(/^#? ?(PBO_\w+)=/gm)].map(([, name]) => name)).toEqual(names);
    expect(example).toBe(envExample());
  });

  test("deploy/docs/settings.md holds every setting once and no other", () => {
    expect([...settingsList().matchAll(/^- `(PBO_\w+)`/gm)].map(([, name]) => name).toSorted()).toEqual(
      names.toSorted(),
    );
    expect(guide).toBe(guideWithSettings(guide));
  });

  test("a setting names exactly the processes whose own code reads it", () => {
    for (const [key, { env, usedBy }] of Object.entries(SETTINGS)) {
      if (usedBy === "all" || ORDINARY_WORDS.includes(key)) continue;
      const readers = PROCESSES.filter((process) => codeOf(process).some((code) => reads(code, key)));
      if (readers.length > 0) expect([env, usedBy.toSorted()]).toEqual([env, readers.toSorted()]);
    }
  });
});
