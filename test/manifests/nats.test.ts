/** K25: the NATS servers of the manifests, which start with the nats.conf beside them. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import type { Loose } from "../../deploy/cluster/kustomize/objects.ts";
import { NATS } from "../../deploy/nats/server-config.ts";
import { STREAMS } from "../../shared/jetstream/streams.ts";
import { CHECKS, CHECKS_OF_SERVERS } from "./checks/all.ts";
import { named, ofKind, podsOf } from "./checks/check.ts";
import { overlayOf, within } from "./checks/overlay.ts";

const k8s = join(import.meta.dirname, "../../deploy/k8s");
const production = overlayOf("production");
const objects = within(production.all, "nats");
const { spec }: Loose = named(objects, "StatefulSet", "nats");
const pod: Loose = spec.template.spec;
const [server]: Loose[] = pod.containers;

const chartValues: Loose = parse(readFileSync(join(k8s, "../nats/values.yaml"), "utf8"));
const conf = readFileSync(join(k8s, "nats/nats.conf"), "utf8");
const setting = (name: string): string => new RegExp(`^ *${name}: "?([^"\\n]+)`, "m").exec(conf)?.[1] ?? "";

test("the server of development has the same configuration, without a cluster", () => {
  const lone = readFileSync(join(k8s, "overlays/dev/nats.conf"), "utf8");
  expect(conf.replace(/^cluster \{\n.*?^\}\n/ms, "")).toBe(lone);
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
    expect(volume(at(dirname(setting("cert_file")))).secret.secretName).toBe(NATS.tlsSecret);
    expect(volume(at("/etc/nats-accounts")).secret.secretName).toBe(NATS.accountsSecret);
    expect(at(setting("store_dir"))).toBe(spec.volumeClaimTemplates[0].metadata.name);
    expect(server.args).toEqual(["--config", "/etc/nats-config/nats.conf"]);
    const config = named(objects, "ConfigMap", volume(at("/etc/nats-config")).configMap.name);
    expect(config?.data["nats.conf"]).toBe(conf);
  });

  test("listen where the configuration, the Services and the policies say", () => {
    const ports = Object.fromEntries(
      server.ports.map(({ name, containerPort }: Loose) => [name, containerPort]),
    );
    expect(ports).toEqual({
      nats: Number(setting("port")),
      cluster: Number(/^cluster \{.*?port: (\d+)/ms.exec(conf)?.[1]),
      monitor: Number(setting("http_port")),
    });
    const portsCheck = CHECKS.find(({ row }) => row.startsWith("Ports"));
    expect(portsCheck?.problems(objects, production.installation)).toEqual([]);
  });

  test("have room for every stream at its largest", () => {
    const bytes = Object.values(STREAMS).reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    const most = Number(setting("max_file_store"));
    expect(bytes).toBeLessThan(most);
    const [claim] = spec.volumeClaimTemplates;
    expect(most).toBeLessThan(Number.parseInt(claim.spec.resources.requests.storage, 10) * 1024 ** 3);
    expect(chartValues.config.jetstream.fileStore).toMatchObject({
      maxSize: `${most / 1024 ** 3}Gi`,
      pvc: { size: claim.spec.resources.requests.storage },
    });
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

/** Faults of earlier values. */
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
  const values: Loose = structuredClone(chartValues);
  expect(isIn(values)).toBe(false);
  bringBack(values);
  expect(isIn(values)).toBe(true);
});
