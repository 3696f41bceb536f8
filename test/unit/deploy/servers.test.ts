/** K7, K27: the image's recipe and MongoDB; NATS is in test/manifests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { mongodbRoles, mongodbUsers } from "../../../deploy/lib/mongodb-users.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";

const deploy = (file: string): string =>
  readFileSync(join(import.meta.dirname, "../../../deploy", file), "utf8");

const EXPORTER = "exporter";

describe("K7 the image", () => {
  const lines = deploy("Dockerfile")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const last = (instruction: string) => lines.findLast((line) => line.startsWith(`${instruction} `)) ?? "";

  test("takes its base images as arguments, none of them latest", () => {
    expect(lines.filter((line) => line.startsWith("FROM"))).toEqual([
      expect.stringMatching(/^FROM \$\{BUILD_IMAGE\} AS /),
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
  test("the pages are built in a stage of its own; neither their sources nor the tools are in the image", () => {
    expect(lines).toContain("RUN node deploy/build/main.ts && rm -r gateway/dashboard gateway/openapi/pages");
    expect(lines.filter((line) => line.endsWith(" gateway"))).toContain(
      "COPY --from=pages /app/gateway gateway",
    );
    expect(lines).toContain("COPY --from=dependencies /app/node_modules node_modules");
  });
});

describe("K27 MongoDB", () => {
  const { spec } = parse(deploy("mongodb/replica-set.yaml"));
  const [members] = spec.replsets;

  test("is three full members with TLS that is checked, without JavaScript", () => {
    expect(members).toMatchObject({ name: "rs0", size: 3 });
    expect(members.arbiter).toBeUndefined();
    expect(spec.tls).toEqual({ mode: "requireTLS", allowInvalidCertificates: false });
    expect(parse(members.configuration).security.javascriptEnabled).toBe(false);
  });
  test("lets in clients that have a password and no certificate, which are all of ours", () => {
    expect(parse(members.configuration).net.tls.allowConnectionsWithoutCertificates).toBe(true);
  });
  test("is measured, member by member and with its backups, by a user of its own", () => {
    const [exporter] = members.sidecars;
    expect(exporter.args).toEqual(["--collector.replicasetstatus", "--collector.pbm"]);
    const monitor = parse(deploy("k8s/components/monitoring/mongodb.yaml")).spec;
    expect(exporter.ports[0].name).toBe(monitor.podMetricsEndpoints[0].port);
    expect(monitor.selector).toEqual(members.topologySpreadConstraints[0].labelSelector);
    const user = spec.users.find(({ name }: { name: string }) => name === EXPORTER);
    const given = Object.fromEntries(exporter.env.map(({ name, ...rest }: { name: string }) => [name, rest]));
    expect(given.MONGODB_USER).toEqual({ value: EXPORTER });
    expect(given.MONGODB_PASSWORD).toEqual({ valueFrom: { secretKeyRef: user.passwordSecretRef } });
  });
  test("leaves the operator its service account's token, without which its probes fail", () => {
    expect(deploy("mongodb/replica-set.yaml")).not.toContain("automountServiceAccountToken");
  });
  test("is backed up to a bucket, every change of it, for no longer than erasure allows", () => {
    const { backup } = spec;
    expect(backup).toMatchObject({ enabled: true, pitr: { enabled: true } });
    const [task] = backup.tasks;
    expect(Object.keys(backup.storages)).toEqual([task.storageName]);
    const [, hours = ""] = /^0 \*\/(\d+) /.exec(task.schedule) ?? [];
    expect((task.retention.count * Number(hours)) / 24).toBe(35);
  });
  test("has the users and roles of `mongodb prepare`: a service uses its database and adds to its audit trail only", () => {
    for (const { name, passwordSecretRef } of spec.users)
      expect(passwordSecretRef).toEqual({ name: "mongodb-users", key: name });
    const users = spec.users.filter(({ name }: { name: string }) => name !== EXPORTER);
    expect(users).toEqual(
      mongodbUsers().map(({ name, roles }) =>
        expect.objectContaining({ name, roles: roles.map(({ role, db }) => ({ name: role, db })) }),
      ),
    );
    const roles = spec.roles.filter(({ role }: { role: string }) => role !== EXPORTER);
    expect(roles).toEqual(mongodbRoles().map((role) => ({ db: "admin", ...role })));
    const audited: readonly string[] = SERVICE_NAMES.filter((name) => name !== "document");
    expect(mongodbRoles()).toEqual(
      audited.map((name) => ({
        role: `audit-${name}`,
        privileges: [
          {
            resource: { db: `${databaseName("", name)}_audit`, collection: "" },
            actions: ["find", "insert"],
          },
        ],
        roles: [],
      })),
    );
    expect(mongodbUsers()).toEqual(
      SERVICE_NAMES.map((name) => ({
        name,
        roles: [
          { role: "readWrite", db: databaseName("", name) },
          ...(audited.includes(name) ? [{ role: `audit-${name}`, db: "admin" }] : []),
        ],
      })),
    );
  });
});
