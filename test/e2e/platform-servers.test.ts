import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { statePaths } from "../../deploy/lib/paths.ts";
import { closeHost, openHost } from "../../deploy/local/processes/host.ts";
import { startServers } from "../../deploy/local/servers/start-servers.ts";
import { quietReport } from "../support/quiet-report.ts";

test("servers named by settings are not started", async () => {
  const dir = mkdtempSync(join(tmpdir(), "pbo-servers-"));
  const host = openHost(statePaths(dir), quietReport);
  const env = {
    PBO_MONGODB_URI: "mongodb://db.example/?replicaSet=x",
    PBO_NATS_URL: "nats://nats.example",
    PBO_S3_ENDPOINT: "https://s3.example",
    PBO_S3_BUCKET: "mine",
  };
  const addresses = await startServers(host, { namespace: "", env });
  const started = host.processes.map(({ name }) => name);
  await closeHost(host);
  rmSync(dir, { recursive: true, force: true });
  expect(started).toEqual([]);
  expect(addresses).toMatchObject({
    mongodbUri: env.PBO_MONGODB_URI,
    natsUrl: env.PBO_NATS_URL,
    s3: { endpoint: env.PBO_S3_ENDPOINT, bucket: "mine" },
  });
});
