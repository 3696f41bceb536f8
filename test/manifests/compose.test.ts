import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { newGatewayKeys } from "../../deploy/lib/gateway-keys.ts";
import { loadConfig, type ProcessName, SERVICE_NAMES } from "../../shared/config/config.ts";
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
  network_mode?: string;
  healthcheck?: { test?: string[] };
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
  test("is healthy when it is ready", () => {
    const check = service(name).healthcheck?.test ?? [];
    expect(check.slice(0, 3)).toEqual(["CMD", "node", "--eval"]);
    expect(check[3]).toContain(":9100/readyz");
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

test("storage is a server whose images are kept, with the bucket and the keys that document uses", () => {
  expect(text.toLowerCase()).not.toContain("minio");
  const { image, command = [], environment = {} } = service("storage");
  expect(image).toContain("seaweedfs");
  const document = service("document").environment ?? {};
  expect(command).toContain(`-bucket=${document.PBO_S3_BUCKET}`);
  expect(environment.AWS_ACCESS_KEY_ID).toBe(document.PBO_S3_ACCESS_KEY_ID);
  expect(environment.AWS_SECRET_ACCESS_KEY).toBe(document.PBO_S3_SECRET_ACCESS_KEY);
  const port = new URL(document.PBO_S3_ENDPOINT ?? "").port;
  expect(command).toContain(`-s3.port=${port}`);
  // Nothing tells of arrivals.
  expect(Number(document.PBO_DOCUMENT_FIRST_LOOK_MS)).toBeLessThanOrEqual(5_000);
});

test("the command line of an operator is a service, with what the bus asks for", () => {
  const { entrypoint, environment = {} } = service("admin");
  expect(entrypoint).toEqual(["node", "deploy/admin/main.ts"]);
  const env = Object.entries(environment).map(([key, value]) => [key, filled(value)]);
  expect(() => loadConfig("admin", Object.fromEntries(env))).not.toThrow();
});

test("the receiver is where delivery may call it, with a certificate that delivery believes", () => {
  expect(service("receiver").network_mode).toBe("service:delivery");
  for (const name of ["delivery", "webhook-registry"])
    expect(service(name).environment?.PBO_WEBHOOK_ALLOW_LOOPBACK).toBe("true");
  const certificate = service("receiver-certificate").volumes ?? [];
  expect(certificate).toContain("receiver:/receiver");
  expect(service("receiver").volumes).toContain("receiver:/state/tls:ro");
  expect(service("delivery").volumes).toEqual(["receiver:/receiver:ro"]);
});

test("data that must outlive a restart is on volumes", () => {
  for (const name of ["mongo", "nats", "storage"])
    expect(service(name).volumes?.some((volume) => volume.startsWith(`${name}:`))).toBe(true);
  expect(Object.keys(compose.volumes).sort()).toEqual(["mongo", "nats", "receiver", "storage"]);
});
