/**
 * The Helm chart, made of the production overlay, and the guide's list of an installation's values.
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

export const GUIDE_FILE = join(root, "deploy/docs/install.md");

const LIST = /(<!-- installation: .* -->\n)[\s\S]*(<!-- end of installation -->)/;

/** The guide with its list of values brought up to date. */
export function guideWithInstallation(guide: string): string {
  const lines = INSTALLATION.filter(({ key }) => !key.startsWith("replicas.")).map(
    ({ key, meaning, optional }) => `- \`${key}\`: ${meaning}${optional ? " (optional)" : ""}\n`,
  );
  if (!LIST.test(guide)) throw new Error(`${GUIDE_FILE} has no place for the installation's values.`);
  return guide.replace(LIST, `$1\n${lines.join("")}- \`replicas.<process>.min\`, \`.max\`: pods\n\n$2`);
}

if (import.meta.main) {
  for (const [file, content] of Object.entries(chart())) {
    mkdirSync(dirname(join(CHART, file)), { recursive: true });
    writeFileSync(join(CHART, file), content);
  }
  writeFileSync(GUIDE_FILE, guideWithInstallation(readFileSync(GUIDE_FILE, "utf8")));
}
