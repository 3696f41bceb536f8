/** A nats-server of one test file's own, which may be stopped, frozen and wiped without harm to others. */
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { natsUrl, statePaths } from "../../../deploy/lib/paths.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { natsSpec, writeNatsConfig } from "../../../deploy/local/servers/nats.ts";
import { findNatsServer } from "../../../deploy/local/servers/nats-binary.ts";
import { quietReport } from "../quiet-report.ts";
import { waitFor } from "../wait-for.ts";
import { wipeJetStreamStore } from "./wipe-jetstream.ts";

export type OwnNats = {
  url: string;
  start(): Promise<void>;
  /** At once: by SIGKILL. */
  stop(how?: { atOnce: boolean }): Promise<void>;
  /** Stops it, throws its JetStream store away and starts it again. */
  restartEmpty(): Promise<void>;
  /** Stops it, changes every block of messages in its store and starts it again, as after a fault of the disk. */
  restartDamaged(change: (block: Buffer) => Buffer): Promise<void>;
  /** Resolves when no thread of it runs any more: a signal alone takes effect a little later. */
  freeze(): Promise<void>;
  thaw(): void;
  /** As an operator does it, on the running server. */
  changeAccounts(accounts: string): void;
  /** What it wrote, refusals included. */
  log(): string;
  /** Stops it and removes everything. */
  end(): Promise<void>;
};

/** Without accounts anybody may do anything. */
export async function startOwnNats(accounts = ""): Promise<OwnNats> {
  const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-nats-")));
  const host = openHost(paths, quietReport, { temporary: true });
  const port = await freePort();
  writeNatsConfig(port, paths);
  const spec = natsSpec(await findNatsServer(quietReport), port, paths);
  // As the chart's values have it: beside the folder of the server's own file.
  const accountsDir = `${paths.root}-accounts`;
  const accountsFile = join(accountsDir, "accounts.conf");
  mkdirSync(accountsDir, { mode: 0o700 });
  host.guard.removeAtEnd(accountsDir);
  writeFileSync(accountsFile, accounts, { mode: 0o600 });
  appendFileSync(paths.natsConfigFile, `include ../${basename(accountsDir)}/accounts.conf\n`);
  const server = manageProcess(spec, host);
  await server.start();
  return {
    url: natsUrl(port),
    start: server.start,
    stop: server.stop,
    async restartEmpty() {
      await server.stop();
      wipeJetStreamStore(paths);
      await server.start();
    },
    async restartDamaged(change) {
      await server.stop();
      for (const file of globSync("**/*.blk", { cwd: paths.natsDir }))
        writeFileSync(join(paths.natsDir, file), change(readFileSync(join(paths.natsDir, file))));
      await server.start();
    },
    async freeze() {
      server.kill("SIGSTOP");
      await waitFor(() => isStopped(server.pid()), { what: "a frozen nats-server" });
    },
    thaw: () => server.kill("SIGCONT"),
    changeAccounts(changed) {
      writeFileSync(accountsFile, changed);
      server.kill("SIGHUP");
    },
    log: () => readFileSync(paths.logFile("nats"), "utf8"),
    end: () => closeHost(host),
  };
}

/** Every thread is in the state T of /proc. */
const isStopped = (pid: number | null): boolean =>
  pid !== null &&
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")),
  );
