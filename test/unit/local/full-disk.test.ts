/** A full disk under the supervision of `npm start`: what cannot run is tried until there is room again. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import {
  type ManagedProcess,
  manageProcess,
  type ProcessHost,
} from "../../../deploy/local/processes/managed-process.ts";
import { testIf } from "../../support/skipped.ts";
import { fillDisk, mountSmallDisk, unmountDisk } from "../../support/small-disk.ts";
import { waitFor } from "../../support/wait-for.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-disk-"));
const isMounted = mountSmallDisk(dir, 0.25);
const warnings: string[] = [];
let host: ProcessHost;
let server: ManagedProcess;

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
  if (isMounted) unmountDisk(dir);
  rmSync(dir, { recursive: true, force: true });
});

testIf(isMounted, "needs root to mount a small disk")(
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
