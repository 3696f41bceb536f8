/** The way in for uploads: where links lead, and what stands there. */
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { productionWith } from "../../deploy/cluster/chart/variants.ts";
import type { KubeObject, Loose } from "../../deploy/cluster/kustomize/objects.ts";
import { readInstallation } from "../../deploy/cluster/read-installation.ts";
import { createStorage } from "../../services/document/storage/storage.ts";
import { MAX_SIZE_BYTES } from "../../shared/contract/answers/document.ts";
import { named, podsOf } from "./checks/check.ts";
import { overlayOf, within } from "./checks/overlay.ts";
import { configOf } from "./checks/settings.ts";

/** The host of a link that the document service signs with the settings of its pod. */
async function hostOfLinks(objects: readonly KubeObject[]): Promise<string> {
  const pod = podsOf(objects).find(({ name }) => name === "Deployment/document");
  const config = pod && configOf(objects, pod.spec.containers[0]).config;
  if (!config) throw new Error("the document service does not start with its settings");
  const storage = createStorage(config);
  const link = await storage.signUpload("a-file", { "Content-Type": "image/png" }, new Date());
  storage.close();
  return new URL(link).host;
}

test.each(["dev", "staging", "production"])("%s: links lead to the installation's host", async (overlay) => {
  const { objects, installation } = overlayOf(overlay);
  expect(await hostOfLinks(objects)).toBe(installation["hosts.uploads"]);
});

describe("storage in the cluster", () => {
  const { "storage.range": _outside, ...given } = readInstallation(
    join(import.meta.dirname, "../../deploy/k8s/overlays/production"),
  );
  const installation = {
    ...given,
    "hosts.uploads": "files.acme.io",
    "ingress.class": "alb",
    "storage.endpoint": "https://storage.files.svc.cluster.local:8333",
    "storage.pathStyle": "true",
    "storage.namespace": "files",
  };
  const objects = productionWith(["installation", "storage-ingress"], installation);
  const { metadata, spec }: Loose = named(objects, "Ingress", "storage") ?? { spec: {} };

  test("is let in where links lead, by https, for files as large as they may be", async () => {
    expect(await hostOfLinks(objects)).toBe("files.acme.io");
    expect(metadata?.namespace).toBe("files");
    expect(spec).toMatchObject({
      ingressClassName: "alb",
      tls: [{ hosts: ["files.acme.io"] }],
      rules: [{ host: "files.acme.io" }],
    });
    const { "nginx.ingress.kubernetes.io/proxy-body-size": largest = "" } = metadata.annotations;
    expect(largest).toMatch(/^\d+m$/);
    expect(Number.parseInt(largest, 10) * 1024 ** 2).toBeGreaterThan(MAX_SIZE_BYTES);
  });

  test("is reached by the Service and the port that the storage of dev has", () => {
    const { service } = spec.rules[0].http.paths[0].backend;
    const target = named(within(overlayOf("dev").all, "storage"), "Service", service.name);
    expect(target?.spec.ports.map(({ name }: Loose) => name)).toContain(service.port.name);
  });
});
