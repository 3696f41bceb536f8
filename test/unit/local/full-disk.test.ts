/** A full disk under the supervision of `npm start`: what cannot run is tried until there is room again. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import {
  type ManagedProcess,
  manageProcess,
  type ProcessHost,
} from "../../../deploy/local/processes/managed-process.ts";
import { waitFor } from "../../support/wait-for.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-disk-"));
const isMounted = mountSmallDisk();
const warnings: string[] = [];
let host: ProcessHost;
let server: ManagedProcess;

/** Needs root, as in a container; elsewhere there is no small disk to fill. */
function mountSmallDisk(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", dir], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Ends when it cannot write, as mongod does; what it wrote before stays until there is more. */
const WRITER = `const { renameSync, writeFileSync } = require("node:fs");
  const file = process.argv[1];
  setInterval(() => {
    writeFileSync(file + ".next", String(process.pid).padEnd(8192, "."));
    renameSync(file + ".next", file);
  }, 20);`;

beforeAll(async () => {
  host = openHost(statePaths(dir), {
    say: () => undefined,
    warn: (line) => void warnings.push(line),
    progress: () => undefined,
  });
  const data = join(dir, "data");
  server = manageProcess(
    {
      name: "writer",
      server: true,
      command: process.execPath,
      args: ["-e", WRITER, data],
      env: {},
      isReady: async () => readFileSync(data, "utf8").startsWith(`${server.pid()}.`),
      readyWithinMs: 20_000,
      stopWithinMs: 1_000,
    },
    host,
  );
  await server.start();
}, 30_000);
afterAll(async () => {
  await closeHost(host);
  if (isMounted) execFileSync("umount", [dir]);
  rmSync(dir, { recursive: true, force: true });
});

function fillDisk(file: string): void {
  const open = openSync(file, "a");
  for (let size = 65_536; size >= 1; size = size / 2)
    try {
      for (;;) writeSync(open, Buffer.alloc(size));
    } catch {
      // No room for so much; perhaps for less.
    }
  closeSync(open);
}

(isMounted ? test : test.skip)(
  "a server that ends for want of room comes back by itself when there is some",
  async () => {
    const first = server.pid();
    const filler = join(dir, "filler");
    await waitFor(
      () => {
        // Again and again: what ends gives back what it held.
        fillDisk(filler);
        return warnings.filter((line) => line.startsWith("writer exited")).length >= 3;
      },
      { what: "it to be tried again and again", everyMs: 10 },
    );
    rmSync(filler);
    const back = await waitFor(() => {
      const pid = server.pid();
      return pid && pid !== first && readFileSync(join(dir, "data"), "utf8").startsWith(`${pid}.`);
    }, "it to write again");
    expect(back).toBe(true);
  },
  600_000,
);
