/** Where the servers of a test run come from: real ones as child processes, or (later) containers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStateDirs, statePaths } from "../../deploy/local/paths.ts";
import { startGuard } from "../../deploy/local/processes/guard.ts";
import { quietReport } from "../../deploy/local/report.ts";
import { startServers } from "../../deploy/local/servers/start-servers.ts";
import type { TestServers } from "./servers.ts";

export type TestInfra = { servers: TestServers; stop(): Promise<void> };

declare global {
  /** Set by the global setup, for the teardown in the same process. */
  var pboTestInfra: TestInfra | undefined;
}

const INFRA: Record<string, () => Promise<TestInfra>> = { embedded: startEmbedded };

export function startTestInfra(kind = "embedded"): Promise<TestInfra> {
  const start = INFRA[kind];
  if (!start) throw new Error(`PBO_TEST_INFRA must be one of ${Object.keys(INFRA).join(", ")}`);
  return start();
}

async function startEmbedded(): Promise<TestInfra> {
  const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-test-")));
  createStateDirs(paths);
  const guard = startGuard();
  guard.removeAtEnd(paths.root);
  const { addresses, processes } = await startServers(
    { paths, guard, report: quietReport },
    { namespace: "by-bucket", env: {} },
  );
  return {
    servers: { mongodbUri: addresses.mongodbUri, natsUrl: addresses.natsUrl, s3: addresses.s3 },
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await guard.release();
      rmSync(paths.root, { recursive: true, force: true });
    },
  };
}
