/** A URL written past the registration, straight into the database: what the real services make of it. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { EndpointView } from "../../../shared/contract/answers/endpoint.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(() =>
  startDeliveryStage({ PBO_DELIVERY_RETRY_SCHEDULE: "0,0.1,0.1,0.1,0.1,0.1,0.1,0.1" }),
);

describe("an endpoint whose URL was written into the database", () => {
  test.each([
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://2852039166/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://metadata.google.internal/",
    "https://user@93.184.216.34/",
    "http://93.184.216.34/",
  ])("%s: three refused attempts, then Disabled with UrlNotPublic and nothing left waiting", async (url) => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const endpoints = serviceRuntimeOf(stage.registry).mongo.connection.collection("webhook_endpoints");
    await endpoints.updateOne({ partnerId }, { $set: { url } });
    stage.broker().broadcast("webhook-endpoint.changed", { partnerId });
    await stage.publish([stage.anEvent(partnerId)]);

    const read = () => stage.call<EndpointView>("webhook-registry.get", partnerId);
    await waitFor(async () => (await read()).status === "Disabled", "the endpoint to be disabled");
    expect(await read()).toMatchObject({ disabledReason: "UrlNotPublic", consecutiveFailures: 3 });
    const given = await stage.untilFirst(partnerId, "Exhausted");
    const { attempts } = await stage.detail(partnerId, given.id);
    expect(attempts.slice(0, 3)).toEqual(
      [1, 2, 3].map((attemptNo) =>
        expect.objectContaining({
          attemptNo,
          statusCode: null,
          errorKind: "UrlNotPublic",
        }),
      ),
    );
    expect((await stage.list(partnerId, { status: "Pending" })).total).toBe(0);
  });
});
