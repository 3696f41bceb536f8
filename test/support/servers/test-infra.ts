/** Where the servers of a test run come from: real ones as child processes, or containers. */
import { closeHost } from "../../../deploy/local/processes/host.ts";
import type { ManagedProcess } from "../../../deploy/local/processes/managed-process.ts";
import { startServers } from "../../../deploy/local/servers/start-servers.ts";
import type { TestServers } from "./servers.ts";
import { openTestHost } from "./test-host.ts";

export type TestInfra = {
  /** The kind of servers, printed with figures that were taken on them. */
  name: string;
  servers: TestServers;
  /** Where a bucket of a test must send its notices, when the storage has to be told. */
  queueArn?: string;
  processes(): readonly Pick<ManagedProcess, "name" | "pid">[];
  stop(): Promise<void>;
};

declare global {
  var pboTestInfra: TestInfra | undefined;
}

const INFRA: Record<string, () => Promise<TestInfra>> = {
  embedded: startEmbedded,
  "three-copies": async () => (await import("./three-copies.ts")).startThreeCopies({ synced: false }),
  "three-copies-synced": async () => (await import("./three-copies.ts")).startThreeCopies({ synced: true }),
  containers: async () => (await import("./container-infra.ts")).startContainers(),
};

export function startTestInfra(kind = "embedded"): Promise<TestInfra> {
  const start = INFRA[kind];
  if (!start) throw new Error(`PBO_TEST_INFRA must be one of ${Object.keys(INFRA).join(", ")}`);
  return start();
}

async function startEmbedded(): Promise<TestInfra> {
  const { host } = openTestHost("test");
  const servers = await startServers(host, { namespace: "by-bucket", env: {} }).catch(async (error) => {
    await closeHost(host);
    throw error;
  });
  return {
    name: "one copy, no TLS",
    servers: { ...servers, settings: {} },
    processes: () => host.processes,
    stop: () => closeHost(host),
  };
}
