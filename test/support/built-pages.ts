/** The dashboard and the documentation as a release has them. They are built again only after a change of a source. */
import { globSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../../deploy/lib/paths.ts";
import { lazily } from "../../shared/lazily.ts";

const STAMP = join(projectDir, "gateway/dist/.built-for-tests");
const SOURCES = [
  "{gateway,shared,services,deploy}/**/*.{ts,tsx,md,py,sh}",
  "gateway/{dashboard,openapi}/**/*.css",
  "package.json",
];

/** Compressing takes seconds of a core: too long for each suite that reads a page. */
export const buildPages = lazily(async () => {
  const startedAt = new Date();
  if (!isStale()) return;
  const { buildDashboard } = await import("../../deploy/build/dashboard.ts");
  const { buildDocuments } = await import("../../deploy/build/documents.ts");
  await Promise.all([buildDashboard(), buildDocuments()]);
  writeFileSync(STAMP, "");
  // A source that changed meanwhile is newer.
  utimesSync(STAMP, startedAt, startedAt);
});

function isStale(): boolean {
  const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(SOURCES, { cwd: projectDir });
  return sources.some((file) => statSync(join(projectDir, file)).mtimeMs >= builtAt);
}
