/** A password that is wrong for a while, as when accounts are changed, costs a process only that while. */
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { statePaths } from "../../deploy/local/paths.ts";
import { freePort } from "../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../deploy/local/processes/host.ts";
import { manageProcess } from "../../deploy/local/processes/managed-process.ts";
import { quietReport } from "../../deploy/local/report.ts";
import { natsSpec, natsUrl } from "../../deploy/local/servers/nats.ts";
import { findNatsServer } from "../../deploy/local/servers/nats-binary.ts";
import { loadConfig } from "../../shared/config.ts";
import { createJetStream, type JetStream } from "../../shared/jetstream.ts";
import { createMetrics } from "../../shared/metrics.ts";
import { aTestNamespace, testServerSettings } from "../support/servers.ts";
import { waitFor } from "../support/wait-for.ts";

const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-nats-")));
const host = openHost(paths, quietReport);
let jetstream: JetStream;
let setPassword: (password: string) => void;
let refusals: () => number;

beforeAll(async () => {
  host.guard.removeAtEnd(paths.root);
  const port = await freePort();
  const spec = natsSpec(await findNatsServer(quietReport), port, paths);
  const withoutUsers = readFileSync(paths.natsConfigFile, "utf8");
  const write = (password: string) => {
    writeFileSync(paths.natsConfigFile, withoutUsers);
    appendFileSync(paths.natsConfigFile, `authorization { user: profile, password: ${password} }\n`);
  };
  write("right");
  const server = manageProcess(spec, host);
  await server.start();
  setPassword = (password) => {
    write(password);
    process.kill(server.pid() ?? 0, "SIGHUP");
  };
  refusals = () => readFileSync(paths.logFile("nats"), "utf8").split("authentication error").length - 1;
  const config = loadConfig("profile", {
    ...testServerSettings(aTestNamespace()),
    PBO_NATS_URL: natsUrl(port),
    PBO_NATS_USER: "profile",
    PBO_NATS_PASSWORD: "right",
    PBO_FIELD_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
  });
  jetstream = createJetStream({
    config,
    logger: pino({ level: "silent" }),
    metrics: createMetrics("profile"),
  });
  await jetstream.connect();
});
afterAll(async () => {
  await jetstream.close();
  await closeHost(host);
});

test("a connection that was refused again and again comes back when the password is right again", async () => {
  expect(jetstream.connected()).toBe(true);
  setPassword("other");
  await waitFor(() => refusals() >= 4, { what: "several refusals" });
  expect(jetstream.connected()).toBe(false);
  setPassword("right");
  await waitFor(() => jetstream.connected(), { what: "the connection to be back" });
});
