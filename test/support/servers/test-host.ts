/** A folder and processes of a test's own. Both go with it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { openHost } from "../../../deploy/local/processes/host.ts";
import { quietReport } from "../quiet-report.ts";

export function openTestHost(name: string, report = quietReport) {
  const paths = statePaths(mkdtempSync(join(tmpdir(), `pbo-${name}-`)));
  return { paths, host: openHost(paths, report, { temporary: true }) };
}
