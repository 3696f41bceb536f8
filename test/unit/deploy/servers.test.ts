/** K7, K25, K27: the image's recipe and the servers around it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";

const deploy = (file: string): string =>
  readFileSync(join(import.meta.dirname, "../../../deploy", file), "utf8");

describe("K7 the image", () => {
  const lines = deploy("Dockerfile")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const last = (instruction: string) => lines.findLast((line) => line.startsWith(`${instruction} `)) ?? "";

  test("takes its base images as arguments, none of them latest", () => {
    expect(lines.filter((line) => line.startsWith("FROM"))).toEqual([
      expect.stringMatching(/^FROM \$\{BUILD_IMAGE\} AS /),
      expect.stringMatching(/^FROM \$\{RUNTIME_IMAGE\}$/),
    ]);
    const defaults = lines.filter((line) => /^ARG \w+_IMAGE=/.test(line)).map((line) => line.split("=")[1]);
    expect(defaults).toEqual([
      expect.stringMatching(/^node:24-/),
      expect.stringMatching(/distroless\/nodejs24.*:nonroot$/),
    ]);
  });
  test("runs node itself as process 1, as nobody, and is told to stop by SIGTERM", () => {
    expect(JSON.parse(last("ENTRYPOINT").slice("ENTRYPOINT ".length))[0]).toBe("node");
    expect(JSON.parse(last("CMD").slice("CMD ".length))).toEqual(["gateway"]);
    expect(last("USER")).toBe("USER 65532:65532");
    expect(last("STOPSIGNAL")).toBe("STOPSIGNAL SIGTERM");
  });
  test("holds production dependencies and no test, secret or local platform", () => {
    expect(last("RUN")).toContain("npm ci --omit=dev");
    const copied = lines.filter((line) => line.startsWith("COPY ")).join("\n");
    expect(copied).not.toMatch(/COPY \. |test|deploy\/local [^\n]*|\.env/);
    expect(deploy("Dockerfile.dockerignore").split("\n")[0]).toBe("**");
  });
});

describe("K25 NATS", () => {
  const values = parse(deploy("nats/values.yaml"));

  test("is three servers with JetStream on disk, synced on every write", () => {
    expect(values.config.cluster).toMatchObject({ enabled: true, replicas: 3 });
    expect(values.config.jetstream.fileStore).toMatchObject({ enabled: true, pvc: { enabled: true } });
    expect(values.config.jetstream.merge.sync_interval).toBe("always");
  });
  test("speaks TLS to clients and between servers, with users from the generated file", () => {
    expect(values.config.nats.tls.enabled && values.config.cluster.tls.enabled).toBe(true);
    expect(values.config.merge.$include).toBe("../nats-accounts/accounts.conf");
    const mounts = values.container.patch.map(
      ({ value }: { value: { mountPath: string } }) => value.mountPath,
    );
    expect(mounts).toEqual(["/etc/nats-accounts"]);
    expect(values.podTemplate.patch[0].value).toEqual({
      name: "accounts",
      secret: { secretName: "nats-accounts", defaultMode: 0o400 },
    });
  });
  test("is restricted, spread, budgeted, measured, and has no shell beside it", () => {
    for (const part of [values.container, values.reloader, values.promExporter])
      expect(part.merge.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    expect(values.podTemplate.merge.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(Object.keys(values.podTemplate.topologySpreadConstraints)).toHaveLength(2);
    expect(values.podDisruptionBudget.enabled).toBe(true);
    expect(values.promExporter).toMatchObject({ enabled: true, podMonitor: { enabled: true } });
    expect(values.natsBox.enabled).toBe(false);
    const limit = Number.parseInt(values.container.merge.resources.limits.memory, 10) * 1_024;
    const goLimit = Number.parseInt(values.container.env.GOMEMLIMIT, 10);
    expect(goLimit / limit).toBeCloseTo(0.8, 2);
  });
});

describe("K27 MongoDB", () => {
  const { spec } = parse(deploy("mongodb/replica-set.yaml"));

  test("is three full members with TLS and passwords", () => {
    expect(spec).toMatchObject({ type: "ReplicaSet", members: 3, arbiters: 0 });
    expect(spec.security.tls.enabled).toBe(true);
    expect(spec.security.authentication.modes).toEqual(["SCRAM-SHA-256"]);
    expect(spec.additionalMongodConfig["security.javascriptEnabled"]).toBe(false);
  });
  test("has a user per service, who may use that service's database and add to its audit trail only", () => {
    const audited: readonly string[] = SERVICE_NAMES.filter((name) => name !== "document");
    const users = spec.users.map(({ name, roles }: { name: string; roles: unknown }) => ({ name, roles }));
    expect(users).toEqual(
      SERVICE_NAMES.map((name) => ({
        name,
        roles: [
          { name: "readWrite", db: databaseName("", name) },
          ...(audited.includes(name) ? [{ name: `audit-${name}`, db: "admin" }] : []),
        ],
      })),
    );
    expect(spec.security.roles).toEqual(
      audited.map((name) => ({
        role: `audit-${name}`,
        db: "admin",
        privileges: [
          {
            resource: { db: `${databaseName("", name)}_audit`, collection: "" },
            actions: ["find", "insert"],
          },
        ],
        roles: [],
      })),
    );
  });
});
