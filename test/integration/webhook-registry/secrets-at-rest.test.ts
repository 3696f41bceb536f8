import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { startRegistryStage } from "../../support/stage/registry-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startRegistryStage);

describe("a signing secret", () => {
  test("is nowhere in the database in plain text, nor in the log, nor in a later answer", async () => {
    const partnerId = randomUUID();
    const first = await stage.register(partnerId);
    const { webhookSecret } = await stage.call<{ webhookSecret: string }>(
      "webhook-registry.rotateSecret",
      partnerId,
    );
    const answers = [
      await stage.read(partnerId),
      await stage.call("webhook-registry.register", partnerId, { url: "https://localhost/" }),
      await stage.call("webhook-registry.replace", partnerId, { url: "https://localhost/" }),
      await stage.forDelivery(partnerId),
      await stage.collection.find().toArray(),
      stage.log,
    ];
    for (const secret of [first, webhookSecret]) {
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      for (const form of [secret.slice("whsec_".length, -1), key.toString("hex"), key.toString("base64url")])
        expect(JSON.stringify(answers)).not.toContain(form);
    }
  });

  test("copied to another partner's endpoint does not open", async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    await stage.register(from);
    await stage.register(to);
    const [stolen] = (await stage.forDelivery(from))?.secrets ?? [];
    const [own] = (await stage.forDelivery(to))?.secrets ?? [];
    expect(() => stage.cipher.open(stolen?.sealed ?? "", own?.place as never)).toThrow();
  });

  test("under a key nobody knows any more is left alone, and said so in the log", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const before = await stage.collection.findOne({ partnerId });
    const strange = `strange:${randomBytes(32).toString("base64")}`;
    const broker = await stage.startRegistry({ PBO_WEBHOOK_KEYS: strange });
    const endpointId = before?._id ?? "";
    const answer = await broker.call("webhook-registry.sweepFieldKeys", { reseal: true });
    await broker.stop();
    expect(answer).toMatchObject({ resealed: 0, unreadable: expect.any(Number) });
    expect(
      stage.log.some((line) => line.includes("field_key.not_resealed") && line.includes(endpointId)),
    ).toBe(true);
    expect(await stage.collection.findOne({ partnerId })).toEqual(before);
  });
});
