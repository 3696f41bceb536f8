/** A nats-server of one test file's own, which may be stopped, frozen and wiped without harm to others. */
import { appendFileSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { natsUrl } from "../../../deploy/lib/paths.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { natsSpec, writeNatsConfig } from "../../../deploy/local/servers/nats.ts";
import { findNatsServer } from "../../../deploy/local/servers/nats-binary.ts";
import { quietReport } from "../quiet-report.ts";
import { waitFor } from "../wait-for.ts";
import { wipeJetStreamStore } from "./jetstream-store.ts";
import { openTestHost } from "./test-host.ts";

export type OwnNats = Awaited<ReturnType<typeof startOwnNats>>;

/** Without accounts any client is granted everything. */
export async function startOwnNats(accounts = "") {
  const { paths, host } = openTestHost("nats");
  const port = await freePort();
  writeNatsConfig(port, paths);
  const spec = natsSpec(await findNatsServer(quietReport), port, paths);
  const accountsFile = join(paths.root, "accounts.conf");
  writeFileSync(accountsFile, accounts, { mode: 0o600 });
  appendFileSync(paths.natsConfigFile, "include accounts.conf\n");
  const server = manageProcess(spec, host);
  await server.start();
  return {
    url: natsUrl(port),
    start: server.start,
    /** With `atOnce`: by SIGKILL. */
    stop: server.stop,
    async restartEmpty(): Promise<void> {
      await server.stop();
      wipeJetStreamStore(paths);
      await server.start();
    },
    /** Stops it, changes every block of messages in its store and starts it again, as after a fault of the disk. */
    async restartDamaged(change: (block: Buffer) => Buffer): Promise<void> {
      await server.stop();
      for (const file of globSync("**/*.blk", { cwd: paths.natsDir }))
        writeFileSync(join(paths.natsDir, file), change(readFileSync(join(paths.natsDir, file))));
      await server.start();
    },
    /** Resolves when no thread of it runs any more: a signal alone takes effect a little later. */
    async freeze(): Promise<void> {
      server.kill("SIGSTOP");
      await waitFor(() => isStopped(server.pid()), "a frozen nats-server");
    },
    thaw: () => server.kill("SIGCONT"),
    changeAccounts(changed: string): void {
      writeFileSync(accountsFile, changed);
      server.kill("SIGHUP");
    },
    log: () => readFileSync(paths.logFile("nats"), "utf8"),
    end: () => closeHost(host),
  };
}

const isStopped = (pid: number | null): boolean =>
  pid !== null &&
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")),
  );
