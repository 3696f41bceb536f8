/** Downloads every pinned archive, for all CPU types, and unpacks it: the registry still has the pinned content. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARCHIVES } from "./archives/archives.ts";
import { downloadTarball } from "./archives/download-tarball.ts";
import { unpack } from "./archives/fetch-archive.ts";
import { consoleReport } from "./report.ts";

const report = consoleReport();
for (const archive of ARCHIVES) {
  const dir = await mkdtemp(join(tmpdir(), "pbo-archive-"));
  try {
    await unpack(archive, await downloadTarball(archive, dir, report), dir);
    report.say(`ok   ${archive.name} for ${archive.arch}`);
  } catch (error) {
    report.warn(`BAD  ${archive.name} for ${archive.arch}: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
