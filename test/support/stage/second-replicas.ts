/** A second process of each kind beside those of a running platform, on the same servers. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import { type ManagedProcess, manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { quietReport } from "../../../deploy/local/report.ts";
import {
  type PlatformProcess,
  PROCESS_NAMES,
  serviceEnv,
} from "../../../deploy/local/services/service-env.ts";
import { serviceSpec } from "../../../deploy/local/services/service-process.ts";
import type { Gateway } from "../clients/balanced-load.ts";
import type { TestPlatform } from "./platform.ts";

export type SecondReplicas = {
  gateways: Gateway[];
  restart(name: PlatformProcess): Promise<void>;
  stop(): Promise<void>;
};

export async function startSecondReplicas(platform: TestPlatform): Promise<SecondReplicas> {
  const platformPaths = statePaths(dirname(dirname(platform.demo.tls.ca)));
  const ownPaths = statePaths(mkdtempSync(join(tmpdir(), "pbo-second-")));
  const host = openHost(ownPaths, quietReport);
  host.guard.removeAtEnd(ownPaths.root);
  const { baseUrl, addresses, env: userEnv } = platform;
  const port = await freePort();
  const env = serviceEnv({ userEnv, paths: platformPaths, addresses, tls: platform.demo.tls, port, baseUrl });
  const opsPorts = new Map<PlatformProcess, number>();
  const replicas = new Map<PlatformProcess, ManagedProcess>();

  for (const name of PROCESS_NAMES) {
    const opsPort = await freePort();
    opsPorts.set(name, opsPort);
    const spec = serviceSpec(name, { env, opsPort, watch: false });
    replicas.set(name, manageProcess({ ...spec, name: `${name}-2` }, host));
  }
  const services = PROCESS_NAMES.filter((name) => name !== "gateway");
  await Promise.all(services.map((name) => replicas.get(name)?.start()));
  await replicas.get("gateway")?.start();

  const firstOps = JSON.parse(readFileSync(platformPaths.portsFile, "utf8"))["ops-gateway"];
  return {
    gateways: [
      { httpUrl: baseUrl.replace("localhost", "127.0.0.1"), opsUrl: `http://127.0.0.1:${firstOps}` },
      { httpUrl: `http://127.0.0.1:${port}`, opsUrl: `http://127.0.0.1:${opsPorts.get("gateway")}` },
    ],
    async restart(name) {
      await replicas.get(name)?.stop();
      await replicas.get(name)?.start();
    },
    stop: () => closeHost(host),
  };
}
