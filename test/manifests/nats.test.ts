/** K25: the NATS servers of the manifests, which start with the configuration that deploy/nats makes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Loose } from "../../deploy/cluster/kustomize/objects.ts";
import { chartValues } from "../../deploy/nats/chart-values.ts";
import { NATS } from "../../deploy/nats/server-config.ts";
import { STREAMS } from "../../shared/jetstream/streams.ts";
import { natsFiles } from "../support/nats-files.ts";
import { CHECKS, CHECKS_OF_SERVERS } from "./checks/all.ts";
import { named, ofKind, podsOf } from "./checks/check.ts";
import { overlayOf, within } from "./checks/overlay.ts";

const k8s = join(import.meta.dirname, "../../deploy/k8s");
const production = overlayOf("production");
const objects = within(production.all, "nats");
const { spec }: Loose = named(objects, "StatefulSet", "nats");
const pod: Loose = spec.template.spec;
const [server]: Loose[] = pod.containers;

test.each(Object.entries(natsFiles()))("%s is what deploy/nats makes", (file, content) => {
  expect(readFileSync(file, "utf8")).toBe(content);
});

test.each(CHECKS_OF_SERVERS)("$row", ({ problems }) => {
  expect(problems(objects, production.installation)).toEqual([]);
});

describe("the servers", () => {
  test("are as many as the routes, under the names that the routes have", () => {
    expect(spec).toMatchObject({ replicas: NATS.servers, serviceName: NATS.headless });
    expect(named(objects, "StatefulSet", NATS.service)?.metadata.namespace).toBe(NATS.namespace);
    const headless: Loose = named(objects, "Service", NATS.headless)?.spec;
    expect(headless).toMatchObject({ clusterIP: "None", publishNotReadyAddresses: true });
  });

  test("find every file of their configuration where it is mounted, and no path twice", () => {
    for (const { volumeMounts } of pod.containers) {
      const paths = volumeMounts.map(({ mountPath }: Loose) => mountPath);
      expect(new Set(paths).size).toBe(paths.length);
    }
    const at = (path: string) => server.volumeMounts.find(({ mountPath }: Loose) => mountPath === path)?.name;
    const volume = (name: string) => pod.volumes.find((one: Loose) => one.name === name);
    expect(volume(at(NATS.tlsDir)).secret.secretName).toBe(NATS.tlsSecret);
    expect(volume(at(NATS.accountsDir)).secret.secretName).toBe(NATS.accountsSecret);
    expect(at(NATS.dataDir)).toBe(NATS.storage.claim);
    const [claim] = spec.volumeClaimTemplates;
    expect([claim.metadata.name, claim.spec.resources.requests.storage]).toEqual([
      NATS.storage.claim,
      NATS.storage.size,
    ]);
    expect(server.args).toEqual(["--config", `${NATS.configDir}/nats.conf`]);
    const config = named(objects, "ConfigMap", volume(at(NATS.configDir)).configMap.name);
    expect(config?.data["nats.conf"]).toBe(readFileSync(join(k8s, "nats/nats.conf"), "utf8"));
  });

  test("listen where the configuration, the Services and the policies say", () => {
    const ports = Object.fromEntries(
      server.ports.map(({ name, containerPort }: Loose) => [name, containerPort]),
    );
    expect(ports).toEqual({
      nats: NATS.ports.client,
      cluster: NATS.ports.routes,
      monitor: NATS.ports.monitor,
    });
    const portsCheck = CHECKS.find(({ row }) => row.startsWith("Ports"));
    expect(portsCheck?.problems(objects, production.installation)).toEqual([]);
  });

  test("have room for every stream at its largest", () => {
    const bytes = Object.values(STREAMS).reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    expect(bytes).toBeLessThan(NATS.maxFileStoreGib * 1024 ** 3);
    expect(NATS.maxFileStoreGib).toBeLessThan(Number.parseInt(NATS.storage.size, 10));
  });

  test("are spread, budgeted and measured; Go collects before the kernel does", () => {
    expect(pod.topologySpreadConstraints.map(({ topologyKey }: Loose) => topologyKey)).toEqual([
      "topology.kubernetes.io/zone",
      "kubernetes.io/hostname",
    ]);
    expect(named(objects, "PodDisruptionBudget", "nats")?.spec.maxUnavailable).toBe(1);
    const [endpoint] = named(objects, "PodMonitor", "nats")?.spec.podMetricsEndpoints ?? [];
    const exporter = pod.containers.find(({ name }: Loose) => name === "exporter");
    expect(exporter.ports.map(({ name }: Loose) => name)).toContain(endpoint.port);
    const limit = server.env.find(({ name }: Loose) => name === "GOMEMLIMIT").value;
    const memory = Number.parseInt(server.resources.limits.memory, 10) * 1_024;
    expect(Number.parseInt(limit, 10) / memory).toBeCloseTo(0.8, 2);
  });

  test("let in our processes, storage and operators; only monitoring and KEDA measure", () => {
    expect(podsOf(objects)).toHaveLength(1);
    const sources = ofKind(objects, "NetworkPolicy").flatMap(({ spec: policy }) =>
      (policy.ingress ?? []).flatMap(({ from, ports }: Loose) =>
        from.map(
          ({ namespaceSelector }: Loose) =>
            `${namespaceSelector?.matchLabels["kubernetes.io/metadata.name"] ?? "own"} ${ports[0].port}`,
        ),
      ),
    );
    expect(sources.sort()).toEqual([
      "keda monitor",
      "monitoring metrics",
      "own cluster",
      "own nats",
      "partner-onboarding nats",
      "storage nats",
    ]);
  });
});

/** What the official chart once made of them; nats-chart.test.ts hands them to the chart itself, where it is at hand. */
const FAULTS: { what: string; isIn(values: Loose): boolean; bringBack(values: Loose): void }[] = [
  {
    what: "a limit as text, on which no server starts",
    isIn: ({ config }) => typeof config.merge.max_payload !== "number",
    bringBack: ({ config }) => Object.assign(config.merge, { max_payload: "8MB" }),
  },
  {
    what: "a mount of the reloader's own, which has every mount of the server already",
    isIn: ({ reloader }) => reloader.patch !== undefined,
    bringBack: ({ reloader, container }) => Object.assign(reloader, { patch: container.patch }),
  },
  {
    what: "routes without a CA to check each other by",
    isIn: ({ tlsCA, config }) => !tlsCA?.enabled || tlsCA.secretName !== config.cluster.tls.secretName,
    bringBack: ({ tlsCA }) => Object.assign(tlsCA, { enabled: false }),
  },
];

test.each(FAULTS)("the values of the official chart have not $what", ({ isIn, bringBack }) => {
  const values: Loose = structuredClone(chartValues());
  expect(isIn(values)).toBe(false);
  bringBack(values);
  expect(isIn(values)).toBe(true);
});
