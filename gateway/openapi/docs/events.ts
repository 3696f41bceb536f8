/** Documentation of the feed of events. */

import { eventFeedQuery } from "../../../services/delivery/delivery.schemas.ts";
import { eventFeedValue } from "../../../shared/contract/answers/delivery.ts";
import { EVENT_DAYS } from "../../../shared/contract/durations.ts";
import { anyEvent, exampleOf } from "../documented-webhooks.ts";
import type { DocsOf } from "../route-doc.ts";

export const eventDocs: DocsOf<"Events"> = {
  "delivery.listEvents": {
    summary: "Read events instead of receiving them",
    description: [
      `Every event of the last ${EVENT_DAYS} days, whether a webhook is registered or not. The order never changes, and the events of one`,
      "customer are in the order of `sequence`. Keep nextCursor and ask with it again: there is always one, also on the last page.",
      "An event appears here about 15 seconds after it occurred, so that none is passed over. A webhook is faster. An event has the",
      "same bytes and the same eventId as its webhook. An event whose predecessor is lost waits two minutes for it.",
    ].join("\n"),
    query: eventFeedQuery,
    value: eventFeedValue(anyEvent),
    valueExample: {
      items: [exampleOf("business.profile.created")],
      nextCursor: "MTc2NzMyMzA0NS43IDAxOTlmMmM0LTdhMTAtNzAwMC04MDAwLTAwMDAwMDAwMDAwMQ",
      hasMore: false,
    },
    errors: ["ValidationControl.Error"],
  },
};
