/** The Helm chart, rendered by helm itself: each object equals its twin of the production overlay. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { nested } from "../../deploy/cluster/chart/make-chart.ts";
import { FULL, PLAIN, productionWith } from "../../deploy/cluster/chart/variants.ts";
import { CHART, chart } from "../../deploy/cluster/chart/write-chart.ts";
import type { Installation } from "../../deploy/cluster/installation.rules.ts";
import type { KubeObject, Loose } from "../../deploy/cluster/kustomize/objects.ts";
import { readInstallation } from "../../deploy/cluster/read-installation.ts";
import { describeIf } from "../support/skipped.ts";
import { named } from "./checks/check.ts";
import { schemaValid } from "./checks/schema.ts";
import { helmTemplate, isAtHand } from "./programs.ts";

/** helm on a CPU that it is not made for, beside other tests. */
const EMULATED_MS = 320_000;

const root = mkdtempSync(join(tmpdir(), "chart-"));
afterAll(() => rmSync(root, { recursive: true }));

test("the chart is what the overlay makes of it", () => {
  for (const [file, content] of Object.entries(chart()))
    expect([file, readFileSync(join(CHART, file), "utf8") === content]).toEqual([file, true]);
});

const shipped = readInstallation(join(import.meta.dirname, "../../deploy/k8s/overlays/production"));
const filled: Installation = {
  ...shipped,
  image: `registry.acme.io/onboarding@sha256:${"0123456789abcdef".repeat(4)}`,
  "hosts.api": "kyb.acme.io",
  "monitoring.runbook": "https://wiki.acme.io/kyb",
  "replicas.profile.max": "33",
  "mongodb.range": "198.51.100.0/24",
};

/** A release of helm has another manager label and other names of the settings. */
const inOurWords = (objects: readonly KubeObject[]): Map<string, unknown> =>
  new Map(
    objects
      .filter(({ metadata }) => metadata.name !== "settings-migrate")
      .map((object): [string, unknown] => {
        const text = JSON.stringify(object)
          .replaceAll(/"settings-(migrate|[0-9a-z]{10})"/g, '"settings"')
          .replaceAll('"app.kubernetes.io/managed-by":"Helm"', '"app.kubernetes.io/managed-by":"kustomize"');
        const read = JSON.parse(text) as KubeObject;
        if (read.kind === "Job") delete read.metadata.annotations;
        return [`${read.apiVersion} ${read.kind} ${read.metadata.namespace}/${read.metadata.name}`, read];
      }),
  );

describeIf(isAtHand("helm"), "needs helm for this CPU")("helm", () => {
  const values = nested(filled);
  const render = (more: object) => helmTemplate(CHART, { ...values, ...more }, join(root, "values.yaml"));

  test(
    "renders production: every object equals its twin, and there is none more",
    async () => {
      const objects = await render({});
      expect(inOurWords(objects)).toEqual(inOurWords(productionWith(FULL, filled)));
      expect(schemaValid.problems(objects, filled)).toEqual([]);
      const hook = named(objects, "Job", "migrate")?.metadata.annotations?.["helm.sh/hook"];
      expect(hook).toBe("post-install,pre-upgrade");
      expect(named(objects, "ConfigMap", "settings-migrate")?.data).toEqual(
        objects.find(({ metadata }) => /^settings-[0-9a-f]{10}$/.test(metadata.name))?.data,
      );
    },
    EMULATED_MS,
  );

  test(
    "renders what remains without extensions, with all in the cluster and another size of a process",
    async () => {
      const group = (name: string, more: object) => ({ [name]: { ...(values[name] as object), ...more } });
      const resources = { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } };
      const objects = await render({
        ...group("keda", { enabled: false }),
        ...group("monitoring", { enabled: false }),
        ...group("secrets", { external: false }),
        ...group("storage", { range: "" }),
        ...group("mongodb", { range: "" }),
        sizes: { profile: { heapMiB: 1_536, resources } },
      });
      const plain = productionWith(PLAIN, filled);
      const [container] = named(plain, "Deployment", "profile")?.spec.template.spec.containers ?? [];
      container.resources = resources;
      container.env.find(({ name }: Loose) => name === "NODE_OPTIONS").value =
        "--max-semi-space-size=16 --max-old-space-size=1536";
      expect(inOurWords(objects)).toEqual(inOurWords(plain));
    },
    EMULATED_MS,
  );

  test(
    "refuses the placeholders that the chart is shipped with, and a value that nobody reads",
    async () => {
      const rendered = helmTemplate(CHART, { hosts: { web: "x" } }, join(root, "none.yaml"));
      const refused = await rendered.catch((error: Error) => error.message);
      for (const value of ["image", "hosts.api", "web"]) expect(refused).toContain(value);
    },
    EMULATED_MS,
  );
});
