import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { newGatewayKeys } from "../../deploy/lib/gateway-keys.ts";
import { loadConfig, type ProcessName, SERVICE_NAMES } from "../../shared/config/config.ts";
import { storageSubject } from "../../shared/jetstream/streams.ts";
import { givenKeySets, keySetsOf } from "./checks/field-keys.ts";

type Service = {
  image: string;
  command?: string[];
  entrypoint?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  read_only?: boolean;
  user?: string;
  cap_drop?: string[];
  volumes?: string[];
};

const text = readFileSync(join(import.meta.dirname, "../../deploy/compose.yaml"), "utf8");
const compose: { services: Record<string, Service>; volumes: object } = parse(text, { merge: true });
const service = (name: string): Service => {
  const found = compose.services[name];
  if (!found) throw new Error(`${name} is not in compose.yaml`);
  return found;
};

const gatewayKeys = newGatewayKeys();

/** As compose fills in variables that are not set. */
const filled = (value: string): string =>
  value
    .replace(/\$\{PBO_GATEWAY_PRIVATE_KEY:\?.*\}/, gatewayKeys.privateKey)
    .replace(/\$\{PBO_GATEWAY_PUBLIC_KEYS:\?.*\}/, gatewayKeys.publicKey)
    .replace(/\$\{PBO_\w+_KEYS:\?.*\}/, `k1:${Buffer.alloc(32).toString("base64")}`)
    .replace(/\$\{\w+:-([^}]*)\}/, "$1");

describe.each(["gateway", ...SERVICE_NAMES] as ProcessName[])("%s", (name) => {
  test("accepts its settings", () => {
    const env = Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, filled(value)]);
    expect(() => loadConfig(name, Object.fromEntries(env))).not.toThrow();
  });
  test("has the sets of field keys that it uses, and no other", () => {
    expect(givenKeySets(service(name).environment ?? {})).toEqual(keySetsOf(name));
  });
  test("is the one image, started by argument, read-only and as nobody", () => {
    const { image, command, read_only, user, cap_drop } = service(name);
    expect(image).toBe(service("gateway").image);
    expect(command).toEqual([name === "gateway" ? name : `services/${name}`]);
    expect({ read_only, user, cap_drop }).toEqual({
      read_only: true,
      user: "65532:65532",
      cap_drop: ["ALL"],
    });
  });
});

test("the migration runs to its end before anything of ours starts", () => {
  const { entrypoint, command, environment = {} } = service("migrate");
  expect([...(entrypoint ?? []), ...(command ?? [])]).toEqual(["node", "deploy/admin/main.ts", "migrate"]);
  const env = Object.entries(environment).map(([key, value]) => [key, filled(value)]);
  expect(loadConfig("migration", Object.fromEntries(env)).mongodbUri).not.toBe("");
  for (const name of ["gateway", ...SERVICE_NAMES])
    expect(service(name).depends_on?.migrate).toEqual({ condition: "service_completed_successfully" });
});

test("every image can be replaced by a variable, and none is latest", () => {
  for (const { image } of Object.values(compose.services)) {
    expect(image).toMatch(/^\$\{PBO_(\w+_)?IMAGE:-[^}]+:[^}]+\}$/);
    expect(image).not.toContain("latest");
  }
});

test("MinIO tells of arrivals where the document service listens", () => {
  const env = service("minio").environment ?? {};
  expect(env.MINIO_NOTIFY_NATS_SUBJECT_PBO).toBe(storageSubject(""));
  expect(env.MINIO_NOTIFY_NATS_JETSTREAM_PBO).toBe("on");
  expect(text).toContain("arn:minio:sqs::PBO:nats");
});

test("what must outlive a restart is on volumes", () => {
  for (const name of ["mongo", "nats", "minio"])
    expect(service(name).volumes?.some((volume) => volume.startsWith(`${name}:`))).toBe(true);
  expect(Object.keys(compose.volumes).sort()).toEqual(["minio", "mongo", "nats"]);
});
