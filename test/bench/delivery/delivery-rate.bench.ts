import { createHmac, randomBytes } from "node:crypto";
import { request } from "undici";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec } from "../frame/spec.ts";
import { deliverAll } from "./deliver-all.ts";
import { anEvent, type DeliveryPath, openDeliveryPath } from "./delivery-path.ts";

const BARE = "bare loop: sign and POST over TLS";

export const bench: BenchSpec = {
  name: "deliveries, event committed to 2xx recorded",
  issue: 6,
  isHotPath: true,
  // As many requests under way as the service has: so many to each of the partners.
  concurrency: 128,
  rounds: 9,
  goals: [{ measure: "rate", against: BARE, atLeast: 0.4 }],
  async setup(env) {
    const path = await openDeliveryPath(env);
    return {
      workload: await deliverAll(path, "record, plan, send, store"),
      floors: [{ name: BARE, run: (window) => runInFlight(window, bareAttempt(path)) }],
      teardown: path.close,
    };
  },
};

/** The same headers and body as a delivery, and nothing else. */
function bareAttempt({ receiver }: DeliveryPath): () => Promise<void> {
  const key = randomBytes(32);
  return async () => {
    const { eventId, body } = anEvent("0199a000-0000-7000-8000-000000000001");
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64");
    const answer = await request(receiver.url(), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "svc-event-id": eventId,
        "svc-event-type": "business.profile.created",
        "svc-event-version": "1",
        "svc-delivery-id": eventId,
        "svc-attempt": "1",
        "svc-timestamp": String(timestamp),
        "svc-signature": `v1,${signature}`,
      },
      body,
      dispatcher: receiver.agent,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  };
}
