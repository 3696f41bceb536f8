/** The start of a receiver's answer may hold anything: it is sealed, and readable no longer than its event. */
import { expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { type Detail, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const ANSWER = "echo: passport X1234567";

const stage = stageOfFile(() =>
  startDeliveryStage({
    PBO_DELIVERY_RETRY_SCHEDULE: "0,0.05,1,1,1,1,1,1",
    PBO_DELIVERY_POLL_MS: "20",
  }),
);

const keys = () => stage.runtime().mongo.connection.collection<{ _id: string }>("excerpt_keys");
const deliveries = () => collectionOf(stage.runtime().mongo.connection, COLLECTIONS.deliveries);
const excerptsOf = ({ attempts }: Detail) => attempts.map(({ responseExcerpt }) => responseExcerpt);

async function aDelivery(): Promise<{ partnerId: string; detail: Detail }> {
  const { partnerId, receiver } = await stage.aPartner();
  receiver.answer({ status: 500, body: ANSWER }, { status: 200, body: ANSWER });
  await stage.publish([stage.anEvent(partnerId)]);
  const found = await stage.untilFirst(partnerId, "Delivered");
  return { partnerId, detail: await stage.detail(partnerId, found.id) };
}

test("a receiver's answer: shown, but nowhere in the record in clear", async () => {
  const { detail } = await aDelivery();
  expect(excerptsOf(detail)).toEqual([ANSWER, ANSWER]);
  const record = await deliveries().findOne({ _id: detail.id });
  expect(record?.attempts).toHaveLength(2);
  expect(JSON.stringify(record)).not.toContain("passport");
});

test("the key of the day has gone: the attempts are shown without the answers", async () => {
  const { partnerId, detail } = await aDelivery();
  await keys().deleteMany({});
  const later = await stage.detail(partnerId, detail.id);
  expect(later).toEqual({
    ...detail,
    attempts: detail.attempts.map((attempt) => ({ ...attempt, responseExcerpt: null })),
  });
});

test("MongoDB removes the key when no body of its day is shown any more, before it removes the bodies", async () => {
  await stage.restartDelivery();
  const { detail } = await aDelivery();
  const day = detail.occurredAt.slice(0, 10);
  const key = await keys().findOne({ _id: day });
  expect(key).toEqual({
    _id: day,
    sealedKey: expect.stringMatching(/^v1\./),
    expiresAt: new Date(Date.parse(day) + 31 * DAY_MS),
  });
  const indexes = await keys().indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { expiresAt: 1 }, expireAfterSeconds: 0 }));
});

test("an event whose body is no longer shown: neither are the answers, though the key still exists", async () => {
  const { partnerId, detail } = await aDelivery();
  const occurredAt = new Date(stage.clock.now() - 30 * DAY_MS - 1_000);
  await deliveries().updateOne({ _id: detail.id }, { $set: { occurredAt } });
  const later = await stage.detail(partnerId, detail.id);
  expect([later.envelopeJson, ...excerptsOf(later)]).toEqual([null, null, null]);
});
