import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse, stringify } from "yaml";
import { secretPlans } from "../../deploy/admin/secrets/secret-plan.ts";
import { INSTALLATION, installationProblems } from "../../deploy/cluster/installation.rules.ts";
import type { Loose } from "../../deploy/cluster/kustomize/objects.ts";
import { readInstallation } from "../../deploy/cluster/read-installation.ts";
import { SERVICE_NAMES } from "../../shared/config/config.ts";
import { CHECKS, CHECKS_OF_SERVERS } from "./checks/all.ts";
import { named, ofKind, podsOf } from "./checks/check.ts";
import { overlayOf, within } from "./checks/overlay.ts";
import { imagesByDigest } from "./checks/pods.ts";
import { secretsIn } from "./checks/secrets.ts";

const K8S = join(import.meta.dirname, "../../deploy/k8s");
const root = mkdtempSync(join(tmpdir(), "overlays-"));
afterAll(() => rmSync(root, { recursive: true }));

test("the overlays are dev, staging and production", () => {
  expect(readdirSync(join(K8S, "overlays")).sort()).toEqual(["dev", "production", "staging"]);
});

/** A single machine has no second pod, no monitoring and no Internet. */
const NOT_IN_DEV = ["K12", "K29", "K43"];

describe.each(["dev", "staging", "production"])("overlay %s", (overlay) => {
  const { objects, installation } = overlayOf(overlay);
  const rows = CHECKS.filter(({ row }) => overlay !== "dev" || !NOT_IN_DEV.includes(row.split(" ")[0] ?? ""));

  test.each(rows)("$row", ({ problems }) => {
    expect(problems(objects, installation)).toEqual([]);
  });
});

test("K7 production names images by digest", () => {
  const [production, dev] = [overlayOf("production"), overlayOf("dev")];
  expect(imagesByDigest.problems(production.objects, production.installation)).toEqual([]);
  expect(imagesByDigest.problems(dev.objects, dev.installation)).not.toEqual([]);
});

test("K16, K17 staging and production scale delivery by KEDA alone", () => {
  for (const overlay of ["staging", "production"])
    expect(ofKind(overlayOf(overlay).objects, "ScaledObject").map(({ metadata }) => metadata.name)).toEqual([
      "delivery",
    ]);
  expect(ofKind(overlayOf("dev").objects, "ScaledObject")).toEqual([]);
});

describe.each(["mongodb", "storage", "nats"])("the server %s of dev", (namespace) => {
  const { all, installation } = overlayOf("dev");
  const objects = within(all, namespace);

  test.each(CHECKS_OF_SERVERS)("$row", ({ problems }) => {
    expect(problems(objects, installation)).toEqual([]);
  });

  test("has every Secret that its pods read from the command of the guide", () => {
    const made = secretPlans({ withCertificates: true }).filter((plan) => plan.namespace === namespace);
    const read = podsOf(objects).flatMap(({ spec }) => (spec.volumes ?? []).flatMap(secretsIn));
    expect(read.length).toBeGreaterThan(0);
    for (const { name, items = [] } of read) {
      const plan = made.find((one) => one.name === name);
      expect([name, plan !== undefined]).toEqual([name, true]);
      for (const { key } of items) expect(Object.keys(plan?.files ?? {})).toContain(key);
    }
  });
});

test("no image is one that cannot be had any more", () => {
  for (const overlay of ["dev", "staging", "production"])
    expect(JSON.stringify(overlayOf(overlay).all).toLowerCase()).not.toContain("minio");
});

test("dev needs no extension of Kubernetes", () => {
  const groups = overlayOf("dev").all.map(({ apiVersion }) => apiVersion.split("/")[0] ?? "");
  expect(groups.filter((group) => group.includes(".") && !group.endsWith(".k8s.io"))).toEqual([]);
});

/** A copy of the manifests in which an overlay has other values. */
function copyWith(overlay: string, values: Readonly<Record<string, string>>): string {
  const copy = mkdtempSync(join(root, "copy-"));
  cpSync(K8S, copy, { recursive: true });
  const metadata = { name: "installation", namespace: "partner-onboarding" };
  const text = stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: values });
  writeFileSync(join(copy, "overlays", overlay, "installation.yaml"), text);
  return copy;
}

test("K37 production differs from staging by its installation's values and by nothing else", () => {
  const staging = overlayOf("staging");
  const copy = copyWith("production", staging.installation);
  expect(overlayOf("production", copy).all).toEqual(staging.all);
  const file = join(copy, "base/hardening.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("PeriodSeconds: 60", "PeriodSeconds: 61"));
  expect(overlayOf("production", copy).all).not.toEqual(staging.all);
});

test("dev asks for no more than minikube gives: two cores, of which Kubernetes itself takes most of one", () => {
  const millicores = podsOf(overlayOf("dev").all)
    .flatMap(({ spec }) => spec.containers)
    .map(({ resources }: Loose) => Number(/^(\d+)m$/.exec(resources.requests.cpu)?.[1]));
  expect(millicores.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1_100);
});

test("production is shipped with the sizes that the guide has for 100,000 customers", () => {
  const guide =
    readFileSync(join(K8S, "../docs/capacity.md"), "utf8").split("## Sizes to begin with")[1] ?? "";
  const row = (name: string) => new RegExp(`^\\| ${name} \\|[^|]+\\| ([^|]+) \\|`, "m").exec(guide)?.[1];
  const { all, installation } = overlayOf("production");
  for (const name of ["gateway", ...SERVICE_NAMES]) {
    const { [`replicas.${name}.min`]: least, [`replicas.${name}.max`]: most } = installation;
    expect([name, row(name)]).toEqual([name, `${least}–${most}`]);
  }
  const size = (count: number, { requests, limits }: Loose, disk: string) => {
    const cores = `${requests.cpu} ${requests.cpu === "1" ? "core" : "cores"}`;
    return `${count} × ${cores}, ${limits.memory}, ${disk}`.replaceAll(/(\d)Gi/g, "$1 GiB");
  };
  const nats: Loose = named(all, "StatefulSet", "nats")?.spec;
  const [claim] = nats.volumeClaimTemplates;
  const servers = size(
    nats.replicas,
    nats.template.spec.containers[0].resources,
    claim.spec.resources.requests.storage,
  );
  expect(row("NATS")).toBe(servers);
  const [set] = parse(readFileSync(join(K8S, "../mongodb/replica-set.yaml"), "utf8")).spec.replsets;
  const { storage } = set.volumeSpec.persistentVolumeClaim.resources.requests;
  expect(row("MongoDB")).toBe(size(set.size, set.resources, storage));
});

describe("the values of an installation", () => {
  const given = readInstallation(join(K8S, "overlays/production"));
  /** The values of another company: another cloud, other classes and namespaces. */
  const theirs = {
    ...given,
    image: `eu.gcr.io/acme/onboarding@sha256:${"0123456789abcdef".repeat(4)}`,
    "hosts.api": "kyb.acme.io",
    "hosts.uploads": "kyb-files.acme.io",
    "ingress.class": "alb",
    "ingress.namespace": "edge",
    "ingress.issuer": "acme-ca",
    "ingress.addresses": "172.20.0.0/16",
    "monitoring.namespace": "observability",
    "monitoring.release": "prometheus",
    "monitoring.runbook": "https://wiki.acme.io/kyb",
    "keda.namespace": "keda-system",
    "secrets.store": "vault",
    "nats.storageClass": "gp3",
    "mongodb.namespace": "data",
    "mongodb.hosts": "router-0.data.svc.cluster.local:27017",
    "mongodb.replicaSet": "",
    "storage.endpoint": "https://storage.googleapis.com",
    "storage.range": "199.36.153.8/30",
    "scanner.namespace": "security",
    "replicas.delivery.max": "40",
  };

  test("values of another installation are accepted, and every check still passes", () => {
    expect(installationProblems(theirs)).toEqual([]);
    const { objects, all } = overlayOf("production", copyWith("production", theirs));
    expect(CHECKS.flatMap((check) => check.problems(objects, theirs))).toEqual([]);
    const text = JSON.stringify(all.filter(({ metadata }) => metadata.name !== "installation"));
    for (const [key, value] of Object.entries(theirs).filter(([, one]) => /[a-z]{2}/.test(one)))
      expect([key, text.includes(value)]).toEqual([key, true]);
    expect(text).not.toMatch(/example\.com|ingress-nginx|kube-prometheus-stack/);
  });

  test.each(["staging", "production"])(
    "%s as it is shipped: refused, because it has placeholders",
    (name) => {
      const problems = installationProblems(readInstallation(join(K8S, "overlays", name)));
      expect(problems.filter((problem) => /^(image|hosts.api) is a placeholder/.test(problem))).toHaveLength(
        2,
      );
    },
  );

  test.each([
    ["a digest of zeros", { image: `r.acme.io/x@sha256:${"0".repeat(64)}` }, "image is a placeholder"],
    ["a tag", { image: "r.acme.io/x:1.0" }, "image is not"],
    ["a host of nobody", { "hosts.api": "kyb.example.org" }, "hosts.api is a placeholder"],
    ["storage by plain http", { "storage.endpoint": "http://s3.acme.io" }, "storage.endpoint is not"],
    ["no number", { "replicas.profile.min": "two" }, "replicas.profile.min is not"],
    ["more at least than at most", { "replicas.profile.min": "99" }, "replicas.profile: more at least"],
    ["a value that nobody reads", { "hosts.web": "kyb.acme.io" }, "hosts.web is not a value"],
  ])("%s: refused", (_what, change, problem) => {
    expect(installationProblems({ ...theirs, ...change })).toEqual([expect.stringContaining(problem)]);
  });

  test("a missing setting is refused, except one that only some installations need", () => {
    const { "hosts.api": _host, "storage.range": _range, ...rest } = theirs;
    expect(installationProblems(rest)).toEqual([expect.stringContaining("hosts.api is missing")]);
  });

  test("are those that the components put into place", () => {
    const sources = ["installation", "storage-outside", "mongodb-outside"].flatMap((component) => [
      ...readFileSync(join(K8S, "components", component, "kustomization.yaml"), "utf8").matchAll(
        /fieldPath: '?data\.([^' ]+)/g,
      ),
    ]);
    const keys = sources.map(([, key = ""]) => key.replaceAll("\\.", "."));
    expect([...new Set(keys)].sort()).toEqual(INSTALLATION.map(({ key }) => key).sort());
  });
});
