/** An event as a new customer causes it, ready for an outbox. */
import { systemClock } from "../../../shared/clock.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";

export const EVENT_TYPE = "business.profile.created";
const PARTNER_ID = "0199a000-0000-7000-8000-000000000001";

export const anEvent = (partnerId = PARTNER_ID) =>
  outboxEntry(
    {
      eventType: EVENT_TYPE,
      partnerId,
      correlation: {
        correlationId: "bench",
        requestId: "bench",
        customerId: partnerId,
        partnerCustomerId: "bench-1",
        sequence: 1,
      },
      data: { customerId: partnerId, verificationStatus: "PendingVerification", ubos: [partnerId] },
    },
    systemClock,
  );
