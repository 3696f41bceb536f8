/** Somebody follows the guide's first deployment in a shell, with kubectl and docker replaced by recorders. */
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { guideWithInstallation } from "../../deploy/cluster/chart/write-chart.ts";
import { type KubeObject, readObjects } from "../../deploy/cluster/kustomize/objects.ts";
import { renderKustomization } from "../../deploy/cluster/kustomize/render.ts";
import { childEnv } from "../../deploy/lib/child-env.ts";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { processEnv, SERVICE_NAMES } from "../../shared/config/config.ts";
import { selects } from "./checks/check.ts";

const project = join(import.meta.dirname, "../..");
const guide = readFileSync(join(project, "deploy/README.md"), "utf8");
const [, chapter = ""] = /^## First deployment\n([\s\S]*?)^## /m.exec(guide) ?? [];
const blocks = [...chapter.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

/** Writes down each call with what came by standard input, and gives the answers that a healthy cluster would. */
const RECORDER = `#!/bin/bash
input=""
case " $* " in *" -f - "*) input=$(base64 -w0) ;; esac
printf '%s\\t%s\\t%s\\n' "$(basename "$0")" "$*" "$input" >> "$RECORD"
case "$*" in
  *"create namespace"*) printf 'apiVersion: v1\\nkind: Namespace\\nmetadata: { name: %s }\\n' "$3" ;;
  *"get job migrate"*) cat "$RECORD.migration" ;;
  *"get deployment gateway"*) echo registry.acme.io/partner-onboarding@sha256:1 ;;
esac
`;

const FILLED: Record<string, string> = {
  image: `registry.acme.io/partner-onboarding@sha256:${"0123456789abcdef".repeat(4)}`,
  "hosts.api": "kyb.acme.io",
  "monitoring.runbook": "https://wiki.acme.io/kyb",
  "secrets.store": "vault",
};

/** A checkout of its own, so that secrets and values of the walk are nobody else's. */
function newCheckout({ isFilledIn }: { isFilledIn: boolean }): string {
  const checkout = mkdtempSync(join(root, "checkout-"));
  cpSync(join(project, "deploy"), join(checkout, "deploy"), {
    recursive: true,
    filter: (from) => !/\/deploy\/(client|dashboard|demo|local)$/.test(from),
  });
  for (const name of ["node_modules", "shared", "services", "gateway", "package.json", "deploy/local"])
    symlinkSync(join(project, name), join(checkout, name));
  for (const name of ["kubectl", "docker", "curl"]) {
    writeFileSync(join(checkout, name), RECORDER);
    chmodSync(join(checkout, name), 0o755);
  }
  const file = join(checkout, "deploy/k8s/overlays/production/installation.yaml");
  if (isFilledIn)
    writeFileSync(
      file,
      readFileSync(file, "utf8").replaceAll(/^ {2}([\w.]+): .*$/gm, (line, key) =>
        FILLED[key] ? `  ${key}: ${FILLED[key]}` : line,
      ),
    );
  return checkout;
}

type Call = { program: string; args: string; input: string };

async function walk(commands: string, { isFilledIn = true, migration = "Complete" } = {}) {
  const checkout = newCheckout({ isFilledIn });
  const record = join(checkout, "record");
  writeFileSync(record, "");
  writeFileSync(`${record}.migration`, migration);
  const env = childEnv({ RECORD: record, USER: "grace", PATH: `${checkout}:${processEnv().PATH}` });
  const args = ["-e", "-o", "pipefail", "-c", commands];
  const { ok, stderr } = await runCommand("bash", args, { cwd: checkout, env, withinMs: 300_000 });
  const calls = readFileSync(record, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): Call => {
      const [program = "", words = "", input = ""] = line.split("\t");
      return { program, args: words, input: Buffer.from(input, "base64").toString() };
    });
  return { checkout, ok, stderr, calls };
}

/** What the API server would be given by a call, in order. */
function objectsOf({ program, args, input }: Call, checkout: string): KubeObject[] {
  if (program !== "kubectl") return [];
  if (!/\bapply\b/.test(args)) return [];
  const [, namespace] = /^-n (\S+)/.exec(args) ?? [];
  if (input)
    return readObjects(input, "standard input").map((object) => ({
      ...object,
      metadata: { ...object.metadata, ...(namespace ? { namespace } : {}) },
    }));
  const [, folder] = /(?:-k|--kustomize) (\S+)/.exec(args) ?? [];
  const files = [...args.matchAll(/-f (\S+)/g)].flatMap(([, file = ""]) =>
    readObjects(readFileSync(join(checkout, file), "utf8"), file),
  );
  const rendered = folder ? renderKustomization(join(checkout, folder)) : files;
  const [, selector] = /--selector (\S+)/.exec(args) ?? [];
  return rendered.filter(({ metadata }) => !selector || isSelected(selector, metadata.labels ?? {}));
}

const isSelected = (selector: string, labels: Record<string, string>): boolean =>
  selector.split(",").every((term) => {
    const [, key = "", not, value = ""] = /^(.+?)(!?)=(.+)$/.exec(term) ?? [];
    const operator = not ? "NotIn" : "In";
    return selects({ matchExpressions: [{ key, operator, values: [value] }] }, labels);
  });

const root = mkdtempSync(join(tmpdir(), "guide-"));
afterAll(() => rmSync(root, { recursive: true }));

test("the guide's table has the values of an installation", () => {
  expect(guideWithInstallation(guide)).toBe(guide);
});

describe("the first deployment, walked", () => {
  let order: string[];
  let stores: string[];
  let calls: Call[];
  beforeAll(async () => {
    const walked = await walk(blocks.join("\n"));
    expect([walked.ok, walked.stderr]).toEqual([true, walked.stderr]);
    calls = walked.calls;
    stores = calls
      .flatMap((call) => objectsOf(call, walked.checkout))
      .filter(({ kind }) => kind === "ExternalSecret")
      .map(({ metadata, spec }) => `${metadata.namespace}: ${spec.secretStoreRef.name}`);
    order = calls.flatMap((call) => [
      ...objectsOf(call, walked.checkout).map(
        ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`,
      ),
      ...(/wait|rollout status|get job/.test(call.args) ? [`waits: ${call.args}`] : []),
    ]);
  }, 320_000);
  const at = (what: string | RegExp): number => {
    const found = order.findIndex((line) => (typeof what === "string" ? line === what : what.test(line)));
    expect([what, found]).not.toEqual([what, -1]);
    return found;
  };

  test("every object of production is applied, each namespace before what is in it", () => {
    for (const { kind, metadata } of renderKustomization(join(project, "deploy/k8s/overlays/production"))) {
      const name = metadata.name.replace(/^((?:settings|nats-config)-)[0-9a-z]{10}$/, "$1");
      const found = order.findIndex((line) => line.startsWith(`${kind} ${metadata.namespace ?? ""}/${name}`));
      expect([kind, name, found]).not.toEqual([kind, name, -1]);
      if (metadata.namespace) expect(found).toBeGreaterThan(at(`Namespace /${metadata.namespace}`));
    }
  });

  test("in the right order: secrets, certificates, MongoDB, NATS, migration, services, gateway, accounts", () => {
    const steps = [
      "Namespace /nats",
      "ExternalSecret nats/nats-accounts",
      "Certificate nats/nats-tls",
      /^waits: .*certificate\/nats-tls/,
      "PerconaServerMongoDB mongodb/partner-onboarding",
      /^waits: .*psmdb\/partner-onboarding/,
      "StatefulSet nats/nats",
      /^waits: .*rollout status statefulset\/nats/,
      /^waits: .*get job migrate/,
      ...SERVICE_NAMES.flatMap((name) => [
        `Deployment partner-onboarding/${name}`,
        new RegExp(`^waits: .*deployment/${name} `),
      ]),
      "Deployment partner-onboarding/gateway",
      /^waits: .*deployment\/gateway /,
      "Job partner-onboarding/admin",
    ];
    expect(steps.map(at)).toEqual(steps.map(at).toSorted((a, b) => a - b));
    expect(at("Job partner-onboarding/migrate")).toBeLessThan(at(/get job migrate/));
  });

  test("every secret is asked for at the store of the installation, also those of the servers", () => {
    const places = ["mongodb: vault", "nats: vault", "partner-onboarding: vault"];
    expect([...new Set(stores)].toSorted()).toEqual(places);
  });

  test("the image is built and pushed, and the first partner made", () => {
    expect(calls.find(({ program, args }) => program === "docker" && args.startsWith("push "))).toBeDefined();
    expect(calls.some(({ program, args }) => program === "curl" && args.endsWith("/readyz"))).toBe(true);
    expect(calls.some(({ args }) => args.includes("partner create"))).toBe(true);
  });
});

describe("a rollout", () => {
  const command = "deploy/rollout.sh deploy/k8s/overlays/production";

  test("with placeholders: refused before anything is changed", async () => {
    const { ok, stderr, calls } = await walk(command, { isFilledIn: false });
    expect([ok, calls]).toEqual([false, []]);
    expect(stderr).toContain("hosts.api is a placeholder");
  }, 120_000);

  test("whose migration fails: ends at once, and no process is touched", async () => {
    const { ok, stderr, calls, checkout } = await walk(command, { migration: "FailureTarget Failed" });
    expect(ok).toBe(false);
    expect(stderr).toContain("The migration failed");
    const applied = calls.flatMap((call) => objectsOf(call, checkout)).map(({ kind }) => kind);
    expect(applied).toContain("Job");
    expect(applied).not.toContain("Deployment");
  }, 120_000);
});
