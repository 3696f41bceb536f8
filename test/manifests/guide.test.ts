/** A shell follows the guide, with kubectl and docker replaced by recorders. */
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parseCommand } from "../../deploy/admin/parse-command.ts";
import { GUIDE_FILE, guideWithInstallation } from "../../deploy/cluster/chart/write-chart.ts";
import { type KubeObject, readObjects } from "../../deploy/cluster/kustomize/objects.ts";
import { renderKustomization } from "../../deploy/cluster/kustomize/render.ts";
import { childEnv } from "../../deploy/lib/child-env.ts";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { processEnv, SERVICE_NAMES } from "../../shared/config/config.ts";
import { selects } from "./checks/check.ts";

const project = join(import.meta.dirname, "../..");
const PAGES = ["install", "settings", "capacity", "runbook", "disaster-recovery"];
const guide = PAGES.map((name) => readFileSync(join(project, `deploy/docs/${name}.md`), "utf8")).join("\n");
const blocks = [...guide.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
  ({ index, 1: language = "", 2: commands = "" }) => ({ index, language, commands }),
);
const walked = blocks.filter(({ language }) => language === "sh").map(({ commands }) => commands);

/** Writes down each call with what came by standard input, and gives the answers that a healthy cluster would. */
const RECORDER = `#!/bin/bash
input=""
case " $* " in *" -f - "*) input=$(base64 -w0) ;; esac
printf '%s\\t%s\\t%s\\t%s\\n' "$(basename "$0")" "$*" "$input" "$(printf '%s\\0' "$@" | base64 -w0)" >> "$RECORD"
case "$*" in
  *"rollout status $FAILS "*) exit 1 ;;
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

/** A checkout of its own for the secrets and values of the walk. */
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
  writeFileSync(join(checkout, "certificate.pem"), "");
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

type Call = { program: string; args: string; input: string; words: string[] };

/** The cluster's differences from a healthy one. */
type Cluster = { isFilledIn?: boolean; migration?: string; fails?: string };

async function walk(commands: string, cluster: Cluster = {}) {
  const { isFilledIn = true, migration = "Complete", fails = "nothing" } = cluster;
  const checkout = newCheckout({ isFilledIn });
  const record = join(checkout, "record");
  writeFileSync(record, "");
  writeFileSync(`${record}.migration`, migration);
  const env = childEnv({
    RECORD: record,
    FAILS: fails,
    BEGIN_WITHIN_SECONDS: "0",
    USER: "grace",
    PATH: `${checkout}:${processEnv().PATH}`,
  });
  const args = ["-e", "-o", "pipefail", "-c", commands];
  const { ok, stderr } = await runCommand("bash", args, { cwd: checkout, env, withinMs: 300_000 });
  const calls = readFileSync(record, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): Call => {
      const [program = "", args = "", ...encoded] = line.split("\t");
      const [input = "", words = ""] = encoded.map((text) => Buffer.from(text, "base64").toString());
      return { program, args, input, words: words.split("\0").slice(0, -1) };
    });
  const rendered = new Map<string, KubeObject[]>();
  return { ok, stderr, calls, objectsOf: (call: Call) => objectsOf(call, checkout, rendered) };
}

function objectsOf(
  { program, args, input }: Call,
  checkout: string,
  rendered: Map<string, KubeObject[]>,
): KubeObject[] {
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
  if (folder && !rendered.has(folder)) rendered.set(folder, renderKustomization(join(checkout, folder)));
  const objects = rendered.get(folder ?? "") ?? files;
  const [, selector] = /--selector (\S+)/.exec(args) ?? [];
  return objects.filter(({ metadata }) => !selector || isSelected(selector, metadata.labels ?? {}));
}

const isSelected = (selector: string, labels: Record<string, string>): boolean =>
  selector.split(",").every((term) => {
    const [, key = "", not, value = ""] = /^(.+?)(!?)=(.+)$/.exec(term) ?? [];
    const operator = not ? "NotIn" : "In";
    return selects({ matchExpressions: [{ key, operator, values: [value] }] }, labels);
  });

const ADMIN = "deploy/admin/main.ts";

const root = mkdtempSync(join(tmpdir(), "guide-"));
afterAll(() => rmSync(root, { recursive: true }));

test("the guide lists the values of an installation", () => {
  const page = readFileSync(GUIDE_FILE, "utf8");
  expect(guideWithInstallation(page)).toBe(page);
});

test("every block is walked here, or says how it was tried or that it was not", () => {
  expect(blocks.length).toBeGreaterThan(15);
  for (const { index, language, commands } of blocks.filter((block) => block.language !== "sh")) {
    const before = guide.slice(0, index).split(/^#.*$|^ *```$/m);
    expect([language, commands, before.at(-1)]).toEqual(["text", commands, expect.stringMatching(/tried/i)]);
  }
});

describe("the guide, walked", () => {
  let order: string[];
  let stores: string[];
  let calls: Call[];
  beforeAll(async () => {
    const { ok, stderr, calls: made, objectsOf } = await walk(walked.join("\n"));
    expect([ok, stderr]).toEqual([true, stderr]);
    calls = made;
    stores = calls
      .flatMap(objectsOf)
      .filter(({ kind }) => kind === "ExternalSecret")
      .map(({ metadata, spec }) => `${metadata.namespace}: ${spec.secretStoreRef.name}`);
    order = calls.flatMap((call) => [
      ...objectsOf(call).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`),
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

  test("the operator's commands are understood by the program that they are given to", () => {
    const given = calls
      .filter(({ words }) => words.includes(ADMIN))
      .map(({ words }) => words.slice(words.indexOf(ADMIN) + 1));
    expect(given.map(([noun, verb]) => `${noun} ${verb}`)).toEqual(
      expect.arrayContaining(["partner create", "certificate register", "user create", "customer erase"]),
    );
    for (const words of given) expect(() => parseCommand(words)).not.toThrow();
  });
});

describe("a rollout", () => {
  const command = "deploy/rollout.sh deploy/k8s/overlays/production";

  test("with placeholders: refused before anything is changed", async () => {
    const { ok, stderr, calls } = await walk(command, { isFilledIn: false });
    expect([ok, calls]).toEqual([false, []]);
    expect(stderr).toContain("hosts.api is a placeholder");
  });

  test("an upgrade whose migration fails ends immediately, and no process is touched", async () => {
    const { ok, stderr, calls, objectsOf } = await walk(command, { migration: "FailureTarget Failed" });
    expect(ok).toBe(false);
    expect(stderr).toContain("The migration failed");
    const applied = calls.flatMap(objectsOf).map(({ kind }) => kind);
    expect(applied).toContain("Job");
    expect(applied).not.toContain("Deployment");
  });

  test.each([
    ["whose migration does not start", { migration: "" }, "The migration did not start", null],
    ["whose NATS does not start", { fails: "statefulset/nats" }, "NATS did not start", null],
    ["whose second service does not", { fails: "deployment/profile" }, "profile did not start", "profile"],
  ])(
    "%s: ends there, says why, and touches nothing that comes later",
    async (_what, cluster, why, last) => {
      const { ok, stderr, calls, objectsOf } = await walk(command, cluster);
      expect([ok, stderr]).toEqual([false, expect.stringContaining(why)]);
      expect(calls.some(({ args }) => args.includes("get events"))).toBe(true);
      const applied = calls
        .flatMap(objectsOf)
        .filter(({ kind }) => kind === "Deployment")
        .map(({ metadata }) => metadata.name);
      expect(applied).toEqual(last ? SERVICE_NAMES.slice(0, SERVICE_NAMES.indexOf(last as never) + 1) : []);
    },
    120_000,
  );
});
