/** The whole system as real processes on servers of its own, for tests that stop and kill parts of it. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import { createPlatform } from "../../../deploy/local/platform.ts";
import { fieldKeyFiles } from "../../../deploy/local/secrets/field-keys.ts";
import type { PlatformProcess } from "../../../deploy/local/services/service-env.ts";
import type { ServiceName } from "../../../shared/config/config.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { wipeJetStreamStore } from "../servers/jetstream-store.ts";
import { type Receiver, startReceiver } from "../servers/receiver.ts";
import { aTestNamespace, createTestBucket, testServerSettings } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";

export type ServerName = "mongod" | "nats" | "s3";
export type PartName = ServerName | PlatformProcess;

type Readiness = { status: number; ready: boolean; checks: Record<string, string> };

export type TestPlatform = Awaited<ReturnType<typeof startPlatform>>;

type Options = {
  env?: Record<string, string>;
  /** True for a test that does not stop servers: it uses those that were started for the whole run. */
  anyServers?: boolean;
  demoCustomers?: number;
};

const ANSWER_WITHIN_MS = 10_000;
/** The gateway may answer with what it learnt up to a second ago: before what a test has just done. */
const ANSWER_SHARED_FOR_MS = 1_100;
const READY_WITHIN_MS = 240_000;

/** A busy machine must not matter; and a password's hash at full cost takes a tenth of a second. */
const FOR_TESTS = { PBO_START_DEADLINE_MS: "170000", PBO_PASSWORD_MEMORY_KIB: "64" };

export async function startPlatform({ env = {}, anyServers = false, demoCustomers = 0 }: Options) {
  const given = anyServers ? await givenServers() : {};
  const ownEnv: Record<string, string> = { ...given, ...env };
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const platform = createPlatform({
    stateDir: mkdtempSync(join(tmpdir(), "pbo-platform-")),
    temporary: true,
    demoCustomers,
    env: { PBO_PORT: "0", ...FOR_TESTS, ...ownEnv },
    report: { say: note, warn: note, progress: () => {} },
  });
  const running = await platform.start().catch(async (error) => {
    await platform.stop();
    throw error;
  });
  const { baseUrl } = running;
  const namespace = ownEnv.PBO_NAMESPACE ?? "";
  let mongo: Promise<mongoose.Connection> | undefined;
  const keysFile = (variable: string) => fieldKeyFiles(platform.paths)[`${variable}_FILE`] ?? "";

  const readiness = async (): Promise<Readiness> => {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return { status: response.status, ...((await response.json()) as Omit<Readiness, "status">) };
  };

  return {
    ...running,
    /** The settings it was started with, for another process of it. */
    env: ownEnv,
    /** The set of field keys that every process that needs it was given. */
    fieldKeys: (variable: string) => readFileSync(keysFile(variable), "utf8"),
    /** For every process that starts from now on. */
    setFieldKeys: (variable: string, keys: string) => writeFileSync(keysFile(variable), keys),
    namespace,
    pidOf: (name: PartName) => platform.process(name).pid(),
    kill: (name: PartName, signal: NodeJS.Signals = "SIGKILL") => platform.process(name).kill(signal),
    /** Orderly, and resolves when it is ready again. */
    async restart(name: PartName): Promise<void> {
      await platform.process(name).stop();
      await platform.process(name).start();
    },
    stopServer: (name: ServerName) => platform.process(name).stop(),
    startServer: (name: ServerName) => platform.process(name).start(),
    /** As if NATS had lost its disk; it runs again, empty, when this resolves. */
    async wipeJetStream(): Promise<void> {
      await platform.process("nats").stop();
      wipeJetStreamStore(platform.paths);
      await platform.process("nats").start();
    },
    readiness,
    async untilReady(timeoutMs = READY_WITHIN_MS): Promise<void> {
      let last: Readiness | null = null;
      const waitingSince = performance.now();
      const isReady = async () => {
        const isOwnAnswer = performance.now() - waitingSince > ANSWER_SHARED_FOR_MS;
        last = await readiness();
        return isOwnAnswer && last.status === 200;
      };
      await waitFor(isReady, { timeoutMs, everyMs: 200, what: "the platform to be ready" }).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(last)}`);
      });
    },
    /** The database of a service, for a look past it. */
    async database(service: ServiceName): Promise<mongoose.mongo.Db> {
      mongo ??= mongoose.createConnection(running.addresses.mongodbUri).asPromise();
      return (await mongo).getClient().db(databaseName(namespace, service));
    },
    logs(name: PartName): string {
      const file = platform.paths.logFile(name);
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
    said: () => [...lines],
    async stop() {
      await (await mongo)?.close();
      await platform.stop();
    },
  };
}

/** A namespace and a bucket on the servers that were started for the whole run. */
async function givenServers(): Promise<Record<string, string>> {
  const namespace = aTestNamespace();
  await createTestBucket(namespace);
  const { PBO_ENV, PBO_OPS_HOST, PBO_OPS_PORT, PBO_HOST, PBO_PORT, ...settings } =
    testServerSettings(namespace);
  return settings;
}

/** A receiver whose certificate the platform trusts. */
export const receiverFor = ({ demo }: Pick<TestPlatform, "demo">): Promise<Receiver> =>
  startReceiver({
    certificate: { cert: readFileSync(demo.tls.cert, "utf8"), key: readFileSync(demo.tls.key, "utf8") },
  });
