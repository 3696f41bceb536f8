/** The secrets of the operator's command, of the external store and of the certificates are the same. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { parseAllDocuments } from "yaml";
import {
  CA_SECRETS,
  PROCESS_SECRETS,
  SERVER_SECRETS,
  type SecretPlan,
  secretPlans,
} from "../../deploy/admin/secrets/secret-plan.ts";
import { ORGANIZATIONS, SERVER_NAMES } from "../../deploy/admin/secrets/server-names.ts";
import { type KubeObject, type Loose, readObjects } from "../../deploy/cluster/kustomize/objects.ts";
import { renderKustomization } from "../../deploy/cluster/kustomize/render.ts";
import { NATS_ROUTES } from "../../deploy/nats/server-config.ts";
import { loadConfig, type ProcessName, SERVICE_NAMES } from "../../shared/config/config.ts";
import { adminCommand } from "../support/clients/admin-command.ts";
import { named, ofKind } from "./checks/check.ts";
import { overlayOf } from "./checks/overlay.ts";
import { schemaValid } from "./checks/schema.ts";

const k8s = join(import.meta.dirname, "../../deploy/k8s");
const { objects: production, installation } = overlayOf("production");
const settings: Record<string, string> =
  ofKind(production, "ConfigMap").find(({ metadata }) => metadata.name.startsWith("settings"))?.data ?? {};

const noBus = (): never => {
  throw new Error("secrets need no message bus");
};
let made: KubeObject[];
beforeAll(async () => {
  const { code, out } = await adminCommand(noBus, ["secrets", "new", "--certificates"]);
  expect(code).toBe(0);
  made = parseAllDocuments(out).map((document) => document.toJS() as KubeObject);
});
const filesOf = (namespace: string, name: string): Record<string, string> =>
  made.find(({ metadata }) => metadata.name === name && metadata.namespace === namespace)?.stringData ?? {};

describe("secrets new", () => {
  test("makes Secrets that Kubernetes accepts, no two alike", () => {
    expect(schemaValid.problems(made, installation)).toEqual([]);
    const ids = made.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { stringData } of made)
      for (const [file, value] of Object.entries(stringData))
        expect([file, Boolean(value)]).toEqual([file, true]);
  });

  test.each(["gateway", ...SERVICE_NAMES] as ProcessName[])(
    "%s starts in production with its files and the settings of the manifests",
    (name) => {
      const pod: Loose = named(production, "Deployment", name)?.spec.template.spec;
      const env: Record<string, string> = { ...settings };
      for (const { name: variable, value } of pod.containers[0].env)
        if (value?.startsWith("/etc/pbo/secrets/"))
          env[variable.replace(/_FILE$/, "")] =
            filesOf("partner-onboarding", name)[value.replace("/etc/pbo/secrets/", "")] ?? "";
      expect(() => loadConfig(name, env)).not.toThrow();
    },
  );

  test("passwords are hexadecimal; MongoDB has the same on both sides, and NATS has hashes only", () => {
    const clear = new Set<string>();
    for (const name of SERVICE_NAMES) {
      const own = filesOf("partner-onboarding", name);
      expect(own["mongodb-password"]).toMatch(/^[0-9a-f]{64}$/);
      expect(filesOf("mongodb", "mongodb-users")[name]).toBe(own["mongodb-password"]);
      for (const file of ["nats-password", "nats-streams-password"]) if (own[file]) clear.add(own[file]);
    }
    clear.add(filesOf("partner-onboarding", "migration")["nats-password"] ?? "");
    for (const password of Object.values(filesOf("nats", "nats-people"))) clear.add(password);
    expect(clear.size).toBe(12);
    const ofServers = JSON.stringify([filesOf("nats", "nats-users"), filesOf("nats", "nats-accounts")]);
    for (const password of clear) {
      expect(password).toMatch(/^[0-9a-f]{64}$/);
      expect(ofServers).not.toContain(password);
    }
    for (const hash of Object.values(filesOf("nats", "nats-users")))
      expect(hash).toMatch(/^\$2a\$08\$[./A-Za-z0-9]{53}$/);
  });

  test("never writes over others, and refuses a namespace that NATS would not take", async () => {
    const existing = await adminCommand(noBus, ["secrets", "new", "--to-directory", k8s]);
    expect([existing.code, existing.err]).toEqual([2, expect.stringContaining("exists")]);
    const wrong = await adminCommand(noBus, ["secrets", "new", "--namespace", "a.>"]);
    expect(wrong.code).toBe(2);
  });
});

describe("the guide", () => {
  const text = readFileSync(join(k8s, "../docs/settings.md"), "utf8");
  const [, chapter = ""] = text.split("## Secrets and keys\n");
  const rows = [...chapter.matchAll(/^\| (`[^|]+) \| ([^|]+) \|$/gm)].map(([, names = "", how = ""]) => ({
    patterns: names
      .split(", ")
      .map((name) => new RegExp(`^${name.replaceAll("`", "").replaceAll("*", ".+")}$`)),
    how,
  }));
  const sections = new Map(
    chapter.split(/^### /m).map((section) => {
      const [heading = ""] = section.split("\n");
      return [heading.toLowerCase().replaceAll("'", "").replaceAll(" ", "-"), section];
    }),
  );
  const IN_DEV_ONLY = ["mongodb/administrator-password", "mongodb/key-file"];

  test("has numbered steps for the change of every entry that the command makes", () => {
    const entries = secretPlans({ withCertificates: true }).flatMap(({ files }) => Object.values(files));
    expect(new Set(entries).size).toBeGreaterThan(50);
    for (const entry of entries.filter((one) => !IN_DEV_ONLY.includes(one))) {
      const row = rows.find(({ patterns }) => patterns.some((pattern) => pattern.test(entry)));
      const [, anchor = ""] = /\(#([^)]+)\)/.exec(row?.how ?? "") ?? [];
      expect([entry, sections.get(anchor)]).toEqual([entry, expect.stringMatching(/^1\. [\s\S]*^2\. /m)]);
    }
  });
});

describe("the external store", () => {
  const wanted = ({ name, files }: SecretPlan) => [
    name,
    Object.entries(files).map(([file, entry]) => [file, `partner-onboarding/${entry}`]),
  ];
  const asked = (objects: readonly KubeObject[]) =>
    ofKind(objects, "ExternalSecret").map(({ spec }) => [
      spec.target.name,
      spec.data.map(({ secretKey, remoteRef }: Loose) => [secretKey, remoteRef.key]),
    ]);

  test("is asked for exactly what the command writes, by the component and for the servers", () => {
    expect(asked(production)).toEqual(PROCESS_SECRETS.map(wanted));
    const file = join(k8s, "components/external-authorities/authorities.yaml");
    const authorities = readObjects(readFileSync(file, "utf8"), file);
    expect(schemaValid.problems(authorities, installation)).toEqual([]);
    expect(asked(authorities)).toEqual(CA_SECRETS.map(wanted));
    const servers = readObjects(
      readFileSync(join(k8s, "server-secrets.yaml"), "utf8"),
      "server-secrets.yaml",
    );
    expect(schemaValid.problems(servers, installation)).toEqual([]);
    expect(asked(servers)).toEqual(SERVER_SECRETS.map(wanted));
    expect(servers.map(({ metadata }) => metadata.namespace)).toEqual(
      SERVER_SECRETS.map(({ namespace }) => namespace),
    );
  });
});

describe("certificates", () => {
  const hostOf = (address: string): string => new URL(address.replace(/^[a-z]+:/, "https:")).hostname;
  const hosts = (): Record<keyof typeof SERVER_NAMES, string[]> => ({
    nats: [settings.PBO_NATS_URL ?? "", ...NATS_ROUTES].map(hostOf),
    mongodb: (settings.PBO_MONGODB_HOSTS ?? "").split(",").map((host) => host.split(":")[0] ?? ""),
    storage: [hostOf(overlayOf("dev").installation["storage.endpoint"] ?? "")],
  });
  const secretOf = { nats: "nats-tls", mongodb: "mongodb-tls", storage: "storage-tls" } as const;

  test.each(Object.keys(secretOf) as (keyof typeof secretOf)[])(
    "%s: every name under which it is reached is one of its certificate's",
    (server) => {
      const { "tls.crt": cert = "", "ca.crt": ca = "" } = filesOf(server, secretOf[server]);
      const certificate = new X509Certificate(cert);
      expect(certificate.verify(new X509Certificate(ca).publicKey)).toBe(true);
      expect(hosts()[server].length).toBeGreaterThan(0);
      for (const host of hosts()[server])
        expect([host, certificate.checkHost(host)]).not.toEqual([host, undefined]);
      expect(/^O=(.*)$/m.exec(certificate.subject)?.[1]).toBe(ORGANIZATIONS[server]);
    },
  );

  const objects = renderKustomization(join(k8s, "certificates"));
  const certificates = ofKind(objects, "Certificate");

  test("cert-manager is asked for the same names, by an issuer that is there", () => {
    for (const server of Object.keys(secretOf) as (keyof typeof secretOf)[])
      for (const name of server === "mongodb"
        ? ["mongodb-tls", "mongodb-tls-internal"]
        : [secretOf[server]]) {
        const { metadata, spec }: Loose = named(objects, "Certificate", name);
        expect([metadata.namespace, spec.secretName]).toEqual([server, name]);
        expect(spec.dnsNames).toEqual([...SERVER_NAMES[server], "localhost"]);
        expect(spec.subject?.organizations?.[0]).toBe(ORGANIZATIONS[server]);
        expect(spec.usages).toEqual(expect.arrayContaining(["server auth", "client auth"]));
      }
    const issuers = ofKind(objects, "ClusterIssuer").map(({ metadata }) => metadata.name);
    for (const { spec } of certificates) expect(issuers).toContain(spec.issuerRef.name);
  });

  test("and for each CA that the pods read", () => {
    for (const { name, namespace } of CA_SECRETS)
      expect(named(objects, "Certificate", name)).toMatchObject({
        metadata: { namespace },
        spec: { secretName: name, issuerRef: { name: "partner-onboarding-servers" } },
      });
  });
});
