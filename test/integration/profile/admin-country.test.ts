import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);
const dir = mkdtempSync(join(tmpdir(), "pbo-country-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const admin = (...args: string[]) =>
  adminCommand((action, request) => stage.call(action, request as object), args);
const requirements = (countryCode: string) =>
  stage.ask("profile.identityRequirements", { query: { countryCode } });

test("an operator lists, switches off, switches on and sets the rules of a country, without a deploy", async () => {
  const listed = await admin("country", "list", "--json");
  expect(listed).toMatchObject({ code: 0 });
  expect(JSON.parse(listed.out)).toHaveLength(41);

  expect(
    await admin("country", "switch-off", "--country", "GHA", "--operator", "eve", "--reason", "law"),
  ).toMatchObject({ code: 0 });
  expect(await requirements("GHA")).toMatchObject({ code: "OnboardingConfig.NotFound" });
  expect(await admin("country", "switch-on", "--country", "GHA")).toMatchObject({ code: 0 });
  expect(await requirements("GHA")).toMatchObject({ ok: true, value: { configVersion: 3 } });

  const file = join(dir, "japan.json");
  writeFileSync(
    file,
    JSON.stringify([{ identityTypeCode: "PASSPORT", pattern: String.raw`^[A-Z]{2}\d{7}$` }]),
  );
  expect(await admin("country", "set", "--country", "JPN", "--file", file)).toMatchObject({ code: 0 });
  expect(await requirements("JPN")).toMatchObject({ value: { items: [{ identityTypeCode: "PASSPORT" }] } });

  const versions = JSON.parse(
    (await admin("country", "list", "--country", "GHA", "--versions", "--json")).out,
  ) as Value[];
  expect(
    versions.map(({ version, active, changedBy, reason }) => [version, active, changedBy, reason]),
  ).toEqual([
    [3, true, "tester", ""],
    [2, false, "eve", "law"],
    [1, true, "seed", "first configuration"],
  ]);
});

test("a refusal of the service and an unreadable file end with a message and their exit codes", async () => {
  const bad = join(dir, "bad.json");
  writeFileSync(bad, JSON.stringify({ documents: [{ identityTypeCode: "PASSPORT", pattern: "^(a+)+$" }] }));
  const refused = await admin("country", "set", "--country", "JPN", "--file", bad);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("repeats");
  expect((await admin("country", "set", "--country", "JPN", "--file", join(dir, "none.json"))).code).not.toBe(
    0,
  );
  expect((await admin("country", "switch-off", "--country", "ATA")).err).toContain("no configuration");
});
