import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { parseOptions } from "../../../deploy/local/options.ts";
import { serviceEnv } from "../../../deploy/local/services/service-env.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-env-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const envWith = (args: readonly string[], userEnv: Record<string, string> = {}) =>
  serviceEnv({
    userEnv,
    paths: statePaths(dir),
    addresses: { mongodbUri: "mongodb://m", natsUrl: "nats://n", s3: { endpoint: "http://s" } } as never,
    tls: { ca: "ca.pem" } as never,
    port: 3_000,
    baseUrl: "http://localhost",
    realLimits: parseOptions(args, dir).realLimits,
  });

describe("the limits of the local platform", () => {
  test("are a thousand times those of production", () => {
    expect(envWith([]).PBO_LIMIT_READS).toBe("600000");
  });

  test("are those of production with --real-limits", () => {
    expect(envWith(["--real-limits"])).not.toHaveProperty("PBO_LIMIT_READS");
  });

  test.each([[[]], [["--real-limits"]]])("are the user's own where given, with %j", (args) => {
    expect(envWith(args, { PBO_LIMIT_READS: "7" }).PBO_LIMIT_READS).toBe("7");
  });
});
