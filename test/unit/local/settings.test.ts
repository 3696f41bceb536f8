import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { parseOptions } from "../../../deploy/local/options.ts";
import { fieldKeyFiles, keepFieldKeys } from "../../../deploy/local/secrets/field-keys.ts";
import { envOf, PROCESS_NAMES, serviceEnv } from "../../../deploy/local/services/service-env.ts";
import { serviceSpec } from "../../../deploy/local/services/service-process.ts";
import { givenKeySets, keySetsOf } from "../../manifests/checks/field-keys.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-keys-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const aState = () => statePaths(mkdtempSync(join(dir, "state-")));
const commonEnv = (userEnv: Record<string, string> = {}, args: readonly string[] = []) =>
  serviceEnv({
    userEnv,
    realLimits: parseOptions(args, dir).realLimits,
    paths: aState(),
    addresses: {
      mongodbUri: "mongodb://m",
      natsUrl: "nats://n",
      s3: { endpoint: "http://s", region: "r", bucket: "b", accessKeyId: "a", secretAccessKey: "s" },
    } as never,
    tls: { ca: "ca.pem" } as never,
    port: 3_000,
    baseUrl: "http://localhost",
  });

describe("the field keys of the local platform", () => {
  test.each(PROCESS_NAMES)("%s is started with the sets that it uses, and no other", (name) => {
    const { env } = serviceSpec(name, { env: commonEnv(), opsPort: 1, watch: false });
    expect(givenKeySets(env)).toEqual(keySetsOf(name));
  });

  test("the operator's commands get none", () => {
    expect(givenKeySets(envOf("admin", commonEnv()))).toEqual([]);
  });

  test("a set that the user gives takes the place of the file", () => {
    const env = envOf("profile", commonEnv({ PBO_IDENTITY_KEYS: "mine:x" }));
    expect(env.PBO_IDENTITY_KEYS).toBe("mine:x");
    expect(env).not.toHaveProperty("PBO_IDENTITY_KEYS_FILE");
  });

  test("are made once, each another, for their owner's eyes only", () => {
    const paths = aState();
    const read = () => Object.values(fieldKeyFiles(paths)).map((file) => readFileSync(file, "utf8"));
    keepFieldKeys(paths);
    const made = read();
    keepFieldKeys(paths);
    expect(read()).toEqual(made);
    expect(new Set(made.map((text) => text.split(":")[1])).size).toBe(3);
    for (const file of Object.values(fieldKeyFiles(paths))) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("the limits of the local platform", () => {
  const readsWith = (args: readonly string[], userEnv = {}) => commonEnv(userEnv, args).PBO_LIMIT_READS;

  test("are a thousand times those of production, with --real-limits those of production", () => {
    expect([readsWith([]), readsWith(["--real-limits"])]).toEqual(["600000", undefined]);
  });

  test.each([[[]], [["--real-limits"]]])("are the user's own where given, with %j", (args) => {
    expect(readsWith(args, { PBO_LIMIT_READS: "7" })).toBe("7");
  });
});
