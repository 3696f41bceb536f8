/** Finds or fetches the Chromium of the browser tests. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheDir } from "../../../deploy/lib/paths.ts";
import { archiveOf } from "../../../deploy/local/archives/archives.ts";
import { fetchDebianTree } from "../../../deploy/local/archives/debian-package.ts";
import { fetchArchive } from "../../../deploy/local/archives/fetch-archive.ts";
import { findProgram, isExecutable } from "../../../deploy/local/servers/find-program.ts";
import { firstThatRuns, type Program, type Source } from "../../../deploy/local/servers/first-that-runs.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { quietReport } from "../quiet-report.ts";

const NAMES = ["chromium", "chromium-headless-shell", "google-chrome", "chromium-browser"];

const HELP = [
  "set PBO_TEST_CHROMIUM to a Chromium program",
  "put chromium on the PATH: apt-get install chromium-headless-shell",
  "connect to the npm registry (x64) or to Debian's packages (arm64) once",
];

export const findChromium = (): Promise<Program> =>
  firstThatRuns({ name: "Chromium", sources: SOURCES, help: HELP }, quietReport);

const given: Source = async () => {
  const path = processEnv().PBO_TEST_CHROMIUM;
  return path ? { path, env: {} } : null;
};

const installed: Source = async () => {
  const path = NAMES.map((name) => findProgram(name, processEnv().PATH)).find((found) => found !== null);
  return path ? { path, env: {} } : null;
};

const npmArchive: Source = async (report) => {
  const archive = archiveOf("chromium", process.arch);
  if (!archive) return null;
  const dir = await fetchArchive(archive, cacheDir(), report);
  // The archive's own names directories that only its makers have.
  await writeFile(join(dir, "fonts.conf"), fontsOf(join(dir, "fonts")));
  return {
    path: join(dir, "chromium"),
    env: { LD_LIBRARY_PATH: `${join(dir, "lib")}:${dir}`, FONTCONFIG_PATH: dir },
  };
};

const fontsOf = (dir: string): string =>
  `<?xml version="1.0"?><fontconfig><dir>${dir}</dir><dir>/usr/share/fonts</dir></fontconfig>\n`;

const debianPackages: Source = async () => {
  const dir = join(cacheDir(), "chromium-debian");
  const path = join(dir, "usr", "lib", "chromium", "chromium-headless-shell");
  if (!isExecutable(path)) {
    if (!findProgram("apt-get", processEnv().PATH, ["/usr/bin"])) return null;
    await fetchDebianTree("chromium-headless-shell", cacheDir(), dir);
  }
  const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
  const libraries = join(dir, "usr", "lib", `${machine}-linux-gnu`);
  return { path, env: { LD_LIBRARY_PATH: `${libraries}:${join(libraries, "pulseaudio")}` } };
};

const SOURCES: readonly Source[] = [given, installed, npmArchive, debianPackages];
