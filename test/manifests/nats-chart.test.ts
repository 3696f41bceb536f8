/**
 * The values of the official chart, rendered by helm itself. The chart is no part of this project: the tests run where
 * PBO_TEST_NATS_CHART names a folder with it and helm is installed (or, on x64, the one of the npm registry is on the PATH).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type KubeObject, type Loose, readObjects } from "../../deploy/cluster/kustomize/objects.ts";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { findProgram } from "../../deploy/local/servers/find-program.ts";
import { NATS_ROUTES } from "../../deploy/nats/server-config.ts";
import { processEnv } from "../../shared/config/config.ts";
import { startNatsCluster } from "../support/servers/nats-cluster.ts";
import { newSecretsDir } from "../support/servers/new-secrets-dir.ts";
import { named } from "./checks/check.ts";

const helm = findProgram("helm", processEnv().PATH, ["/usr/bin", "/usr/local/bin"]);
const chart = processEnv().PBO_TEST_NATS_CHART;
const VALUES = join(import.meta.dirname, "../../deploy/nats/values.yaml");

(helm && chart ? describe : describe.skip)("the official chart with our values", () => {
  let objects: KubeObject[];
  beforeAll(async () => {
    const args = ["template", "nats", chart ?? "", "--namespace", "nats", "--values", VALUES];
    const { ok, stdout, stderr } = await runCommand(helm ?? "", args, { withinMs: 300_000 });
    if (!ok) throw new Error(stderr);
    objects = readObjects(stdout, "what helm printed");
  }, 320_000);

  test("mounts nothing twice at one path, which Kubernetes refuses", () => {
    const pod: Loose = named(objects, "StatefulSet", "nats")?.spec.template.spec;
    for (const { volumeMounts } of pod.containers) {
      const paths = (volumeMounts ?? []).map(({ mountPath }: Loose) => mountPath);
      expect(paths).toEqual([...new Set(paths)]);
    }
  });

  test("keeps names, volumes and routes of our own manifests", () => {
    const { spec }: Loose = named(objects, "StatefulSet", "nats");
    const own = readObjects(
      readFileSync(join(import.meta.dirname, "../../deploy/k8s/nats/stateful-set.yaml"), "utf8"),
      "stateful-set.yaml",
    );
    const ours: Loose = named(own, "StatefulSet", "nats")?.spec;
    expect([spec.replicas, spec.serviceName]).toEqual([ours.replicas, ours.serviceName]);
    expect(spec.volumeClaimTemplates.map(({ metadata }: Loose) => metadata.name)).toEqual(
      ours.volumeClaimTemplates.map(({ metadata }: Loose) => metadata.name),
    );
    for (const route of NATS_ROUTES)
      expect(named(objects, "ConfigMap", "nats-config")?.data["nats.conf"]).toContain(route);
  });

  test("makes a nats.conf on which three servers become a cluster", async () => {
    const conf = named(objects, "ConfigMap", "nats-config")?.data["nats.conf"];
    const { dir } = await newSecretsDir();
    const cluster = await startNatsCluster({ conf, secretsDir: dir });
    for (const routes of await cluster.routes()) expect(routes).toBeGreaterThanOrEqual(2);
    await cluster.end();
  });
});
