/** The same headers and body as a delivery, signed and sent over TLS, and nothing else. */
import { createHmac, randomBytes } from "node:crypto";
import { type Agent, request } from "undici";
import { EVENT_TYPE } from "../frame/an-event.ts";

export type BareAttempt = { url: string; eventId: string; body: string };

export function bareAttempt(agent: Agent) {
  const key = randomBytes(32);
  return async ({ url, eventId, body }: BareAttempt): Promise<void> => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64");
    const answer = await request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "svc-event-id": eventId,
        "svc-event-type": EVENT_TYPE,
        "svc-event-version": "1",
        "svc-delivery-id": eventId,
        "svc-attempt": "1",
        "svc-timestamp": String(timestamp),
        "svc-signature": `v1,${signature}`,
      },
      body,
      dispatcher: agent,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
  };
}
