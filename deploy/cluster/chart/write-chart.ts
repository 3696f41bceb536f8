/**
 * The Helm chart, made of the production overlay, and the guide's table of an installation's values.
 * `deploy/run-node deploy/cluster/chart/write-chart.ts` writes both; a test fails when they are not up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { INSTALLATION } from "../installation.rules.ts";
import { readInstallation } from "../read-installation.ts";
import { chartFiles } from "./make-chart.ts";

const root = join(import.meta.dirname, "../../..");

export const CHART = join(root, "deploy/chart");

export function chart(): Record<string, string> {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return chartFiles(readInstallation(join(root, "deploy/k8s/overlays/production")), version);
}

const TABLE = /(<!-- installation: .* -->\n)[\s\S]*(<!-- end of installation -->)/;

/** The guide with its table brought up to date. */
export function guideWithInstallation(guide: string): string {
  const rows = INSTALLATION.map(
    ({ key, meaning, optional }) => `| \`${key}\` | ${meaning}${optional ? " (optional)" : ""} |\n`,
  );
  if (!TABLE.test(guide)) throw new Error("deploy/README.md has no place for the installation's values.");
  return guide.replace(TABLE, `$1| Value | Meaning |\n|---|---|\n${rows.join("")}$2`);
}

if (import.meta.main) {
  for (const [file, content] of Object.entries(chart())) {
    mkdirSync(dirname(join(CHART, file)), { recursive: true });
    writeFileSync(join(CHART, file), content);
  }
  const guide = join(root, "deploy/README.md");
  writeFileSync(guide, guideWithInstallation(readFileSync(guide, "utf8")));
}
