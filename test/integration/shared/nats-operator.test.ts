/** The operator's user looks after streams and does nothing of the services'. */
import { beforeAll, expect, test } from "@jest/globals";
import { AckPolicy, type NatsConnection } from "nats";
import { OPERATOR_USER } from "../../../deploy/nats/permissions.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { removal } from "../../support/servers/jetstream-store.ts";
import { isRefused, startPermissionStage } from "../../support/stage/permission-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(startPermissionStage);
let connection: NatsConnection;
beforeAll(async () => {
  connection = await stage.connect(OPERATOR_USER);
});

test("lists, reports and removes", async () => {
  // A cluster that has just begun may leave the first question unanswered.
  const { streams, consumers } = await waitFor(() => connection.jetstreamManager(), "JetStream");
  const { name, subjects } = STREAMS.EVENTS;
  const durable = CONSUMERS.deliveryRecord.name;
  await streams.add({ name, subjects: [...subjects] });
  await consumers.add(name, { durable_name: durable, ack_policy: AckPolicy.Explicit });
  expect((await streams.list().next()).map(({ config }) => config.name)).toEqual([name]);
  expect((await consumers.list(name).next()).map((consumer) => consumer.name)).toEqual([durable]);
  expect(await removal(consumers.delete(name, durable))).toBe(true);
  expect(await removal(streams.delete(name))).toBe(true);
});

test.each([
  "MOL.REQ.gateway.profile.get.profile.x",
  "MOL.RES.profile.gateway.x",
  "events.x.business.profile.created",
  "storage.arrivals",
  "$JS.ACK.EVENTS.delivery-record.1.1.1.1.0",
])("may not publish %s", async (subject) => {
  expect(await isRefused(connection, () => connection.publish(subject, "{}"))).toBe(true);
});

test.each([">", "MOL.>", "MOL.REQ.*.*.*.profile.>", "events.>", "_INBOX.>", "_INBOX_profile.>"])(
  "may not hear %s",
  async (subject) => {
    const hear = () => void connection.subscribe(subject, { callback: () => undefined });
    expect(await isRefused(connection, hear)).toBe(true);
  },
);
