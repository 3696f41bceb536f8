/** A service's start while its servers are slow: it waits, unless only an operator can repair it. */
import { randomBytes } from "node:crypto";
import { expect, jest, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { ACTIONS } from "../../../shared/contract/actions.ts";
import { unavailable } from "../../../shared/errors.ts";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { StreamMismatch } from "../../../shared/jetstream/jetstream-ensure.ts";
import { CONSUMERS, type ConsumerSpec, STREAMS } from "../../../shared/jetstream/streams.ts";
import { attachRuntime, createRuntime } from "../../../shared/moleculer/runtime.ts";
import { defineService, type ServiceRuntime } from "../../../shared/moleculer/service.ts";
import { type Actions, internal } from "../../../shared/moleculer/typed-actions.ts";
import { NotMigrated } from "../../../shared/mongo/ensure-collections.ts";

const done = async () => undefined;
const ENV = {
  PBO_ENV: "local",
  PBO_LOG_LEVEL: "silent",
  PBO_NATS_URL: "nats://127.0.0.1",
  PBO_MONGODB_URI: "mongodb://127.0.0.1",
  PBO_GATEWAY_PUBLIC_KEYS: newGatewayKeys().publicKey,
  PBO_IDENTITY_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};
const AWAY = unavailable("JetStream");

type Parts = { ensure?: Error[]; indexes?: Error[]; consumers?: ConsumerSpec[] };

/** With the answers of its servers, in their order. */
function aService({ ensure = [], indexes = [], consumers = [] }: Parts) {
  const broker = new ServiceBroker({ logger: false });
  const config = loadConfig("profile", ENV);
  const runtime = createRuntime(config);
  const listed = jest.fn(async () => {
    const failure = indexes.shift();
    if (failure) throw failure;
    return { cursor: { firstBatch: [] } };
  });
  const ensured = jest.fn(async () => {
    const failure = ensure.shift();
    if (failure) throw failure;
    return [];
  });
  const connection = { name: "db", getClient: () => ({ db: () => ({ command: listed }) }) };
  const lane = jest.fn(runtime.lanes.lane);
  const withServers: ServiceRuntime = {
    ...runtime,
    lanes: { ...runtime.lanes, lane },
    mongo: { connect: done, ping: done, roundTrip: done, close: done, connection: connection as never },
    jetstream: { ...runtime.jetstream, connect: done, close: done, ensure: ensured as JetStream["ensure"] },
  };
  attachRuntime(broker, withServers);
  const own = Object.keys(ACTIONS.profile).filter((name) => name !== "ping" && name !== "ready");
  const actions = Object.fromEntries(own.map((name) => [name, internal(() => null)]));
  const build = defineService("profile", () => ({
    actions: actions as unknown as Actions<"profile">,
    collections: {},
    streams: [STREAMS.EVENTS],
    consumers,
  }));
  const schema = build(broker);
  const started = async () => {
    await (schema.started as () => Promise<void>)().finally(runtime.lifecycle.close);
  };
  return { started, ensured, listed, lane };
}

test("JetStream does not answer in time, twice: asked again", async () => {
  const { started, ensured } = aService({ ensure: [AWAY, AWAY] });
  await started();
  expect(ensured).toHaveBeenCalledTimes(3);
});

test("the database does not answer in time: asked again", async () => {
  const { started, listed } = aService({ indexes: [new Error("late")] });
  await started();
  expect(listed).toHaveBeenCalledTimes(2);
});

test.each([
  ["a stream with other settings", { ensure: [new StreamMismatch("EVENTS")] }, StreamMismatch],
  ["a database without the declared indexes", { indexes: [new NotMigrated("migrate first")] }, NotMigrated],
])("%s: the start fails at once", async (_, answers, failure) => {
  const { started } = aService(answers);
  await expect(started()).rejects.toThrow(failure);
});

test.each([
  ["without consumers has no loop", [], 0],
  ["with a consumer has one loop", [CONSUMERS.deliveryRecord], 1],
])("a service %s to watch its streams", async (_, consumers, loops) => {
  const { started, lane } = aService({ consumers });
  await started();
  expect(lane).toHaveBeenCalledTimes(loops);
});
