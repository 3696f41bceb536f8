/** Signatures before, during and after a rotation, with the real services and a clock moved by a day. */
import { describe, expect, jest, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import type { ReceivedRequest, Receiver } from "../../support/servers/receiver.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const DAY_MS = 86_400_000;

const stage = stageOfFile(startDeliveryStage);

/** As a partner does who uses the library, at the time of the stage's clock. */
function verifies({ headers, body, receivedAt }: ReceivedRequest, secret: string): boolean {
  const now = receivedAt + (stage.clock.now() - Date.now());
  const clock = jest.spyOn(Date, "now").mockReturnValue(now);
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  } finally {
    clock.mockRestore();
  }
}

const signatures = ({ headers }: ReceivedRequest) => (headers["webhook-signature"] ?? "").split(" ");
const rotate = async (partnerId: string) =>
  (await stage.call<{ webhookSecret: string }>("webhook-registry.rotateSecret", partnerId)).webhookSecret;

/** The next request the receiver gets after an event was published. */
async function receive(partnerId: string, receiver: Receiver): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  await stage.publish([stage.anEvent(partnerId)]);
  return (await receiver.waitForRequests(before + 1))[before] as ReceivedRequest;
}

describe("a delivery", () => {
  test("is signed with the secret in force; for 24 hours after a rotation with both; then with the new one", async () => {
    const { partnerId, receiver, secret: first } = await stage.aPartner();

    const before = await receive(partnerId, receiver);
    expect(signatures(before)).toHaveLength(1);
    expect(verifies(before, first)).toBe(true);

    const second = await rotate(partnerId);
    const during = await receive(partnerId, receiver);
    expect(signatures(during)).toHaveLength(2);
    expect(verifies(during, second)).toBe(true);
    expect(verifies(during, first)).toBe(true);
    const [newest] = signatures(during);
    expect(
      verifies({ ...during, headers: { ...during.headers, "webhook-signature": newest ?? "" } }, second),
    ).toBe(true);

    stage.clock.move(DAY_MS - 60_000);
    const late = await receive(partnerId, receiver);
    expect(signatures(late)).toHaveLength(2);
    expect(verifies(late, first)).toBe(true);

    stage.clock.move(60_000);
    const after = await receive(partnerId, receiver);
    expect(signatures(after)).toHaveLength(1);
    expect(verifies(after, second)).toBe(true);
    expect(verifies(after, first)).toBe(false);
  });

  test("after four rotations is verified with each of the five secrets", async () => {
    const { partnerId, receiver, secret: first } = await stage.aPartner();
    const secrets = [first];
    for (let rotation = 0; rotation < 4; rotation += 1) secrets.push(await rotate(partnerId));
    const request = await receive(partnerId, receiver);
    expect(signatures(request)).toHaveLength(5);
    expect(secrets.map((secret) => verifies(request, secret))).toEqual(Array(5).fill(true));
  });

  test("planned inside the overlap and retried after it is signed with the new secret only, over the same bytes", async () => {
    const { partnerId, receiver, secret: first } = await stage.aPartner();
    receiver.answer(500, 200);
    const second = await rotate(partnerId);
    const failed = await receive(partnerId, receiver);
    expect([verifies(failed, first), verifies(failed, second)]).toEqual([true, true]);
    await waitFor(async () => (await stage.list(partnerId)).items[0]?.attemptCount === 1, "the failure");

    stage.clock.move(DAY_MS);
    const [, retried] = (await receiver.waitForRequests(2)) as [ReceivedRequest, ReceivedRequest];
    expect(retried.headers["svc-attempt"]).toBe("2");
    expect([verifies(retried, first), verifies(retried, second)]).toEqual([false, true]);
    expect(retried.bytes.equals(failed.bytes)).toBe(true);
    expect(retried.headers["svc-event-id"]).toBe(failed.headers["svc-event-id"]);
  });

  test("replayed has the same event id and the same bytes, which are those of envelopeJson", async () => {
    const { partnerId, receiver, secret } = await stage.aPartner();
    const original = await receive(partnerId, receiver);
    const delivered = await stage.untilFirst(partnerId, "Delivered");
    await stage.replay(partnerId, delivered.id);
    const [, replayed] = (await receiver.waitForRequests(2)) as [ReceivedRequest, ReceivedRequest];
    expect(replayed.headers).toMatchObject({
      "svc-replay": "true",
      "svc-event-id": original.headers["svc-event-id"],
    });
    expect(replayed.headers["svc-delivery-id"]).not.toBe(original.headers["svc-delivery-id"]);
    expect(verifies(replayed, secret)).toBe(true);
    expect(replayed.bytes.equals(original.bytes)).toBe(true);
    const { envelopeJson } = await stage.detail(partnerId, delivered.id);
    expect(Buffer.from(envelopeJson ?? "").equals(original.bytes)).toBe(true);
  });
});
