/** A password that is wrong for a while, as when accounts are changed, costs a process only that while. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { createJetStream, type JetStream } from "../../../shared/jetstream/jetstream.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { type OwnNats, startOwnNats } from "../../support/servers/own-nats.ts";
import { aTestNamespace, testServerSettings } from "../../support/servers/servers.ts";
import { waitFor } from "../../support/wait-for.ts";

const withPassword = (password: string) => `authorization { user: profile, password: ${password} }\n`;

let nats: OwnNats;
let jetstream: JetStream;

beforeAll(async () => {
  nats = await startOwnNats(withPassword("right"));
  const config = loadConfig("profile", {
    ...testServerSettings(aTestNamespace()),
    PBO_NATS_URL: nats.url,
    PBO_NATS_STREAMS_USER: "profile",
    PBO_NATS_STREAMS_PASSWORD: "right",
    PBO_IDENTITY_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
    PBO_GATEWAY_PUBLIC_KEYS: newGatewayKeys().publicKey,
  });
  const logger = pino({ level: "silent" });
  jetstream = createJetStream({ config, logger, metrics: createMetrics("profile") });
  await jetstream.connect();
});
afterAll(async () => {
  await jetstream?.close();
  await nats?.end();
});

const refusals = () => nats.log().split("authentication error").length - 1;

test("a connection that was refused again and again comes back when the password is right again", async () => {
  expect(jetstream.connected()).toBe(true);
  nats.changeAccounts(withPassword("other"));
  await waitFor(() => refusals() >= 4, "several refusals");
  expect(jetstream.connected()).toBe(false);
  nats.changeAccounts(withPassword("right"));
  await waitFor(() => jetstream.connected(), "the connection to be back");
});
