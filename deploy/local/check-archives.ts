/** Downloads every pinned archive, for all CPU types, and checks its contents. */
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARCHIVES, type Architecture, type Archive } from "./archives/archives.ts";
import { downloadTarball } from "./archives/download-tarball.ts";
import { unpack } from "./archives/fetch-archive.ts";
import { consoleReport } from "./report.ts";

/** e_machine of the ELF header. */
const MACHINES: Record<Architecture, number> = { x64: 62, arm64: 183 };
const MACHINE_OFFSET = 18;

const report = consoleReport();
const rows: string[][] = [];
for (const archive of ARCHIVES) rows.push(await check(archive));

const header = ["archive", "cpu", "package", "sha512", "files", "machine"];
const widths = header.map((_, column) =>
  Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
);
for (const row of [header, ...rows])
  report.say(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
const bad = rows.filter((row) => row.some((cell) => cell.startsWith("BAD"))).length;
report.say(
  bad === 0 ? `\nAll ${rows.length} archives are good.` : `\n${bad} of ${rows.length} archives are bad.`,
);
process.exitCode = bad === 0 ? 0 : 1;

async function check(archive: Archive): Promise<string[]> {
  const about = [archive.name, archive.arch, `${archive.package}@${archive.version}`];
  const dir = await mkdtemp(join(tmpdir(), "pbo-archive-"));
  let step = 0;
  try {
    const tarball = await downloadTarball(archive, dir, report);
    step = 1;
    const unpacked = await unpack(archive, tarball, dir);
    step = 2;
    for (const file of archive.files.filter(({ packed }) => packed !== "tar.br"))
      await checkMachine(join(unpacked, file.to), archive.arch);
    return [...about, "ok", `${archive.files.length} ok`, String(MACHINES[archive.arch])];
  } catch (error) {
    report.warn((error as Error).message);
    return [
      ...about,
      ...["ok", "ok", "ok"].map((ok, index) => (index < step ? ok : index === step ? "BAD" : "-")),
    ];
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function checkMachine(file: string, arch: Architecture): Promise<void> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(20), 0, 20, 0);
    if (buffer.toString("latin1", 0, 4) !== "\x7fELF") throw new Error(`${file} is no ELF file`);
    const machine = buffer.readUInt16LE(MACHINE_OFFSET);
    if (machine !== MACHINES[arch])
      throw new Error(`${file} is for machine ${machine}, not ${MACHINES[arch]}`);
  } finally {
    await handle.close();
  }
}
