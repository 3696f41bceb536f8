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
      `Every event of the last ${EVENT_DAYS} days, with or without a registered webhook. The order never changes. The events of a customer`,
      "are in the order of `sequence`. Store nextCursor and send it with the next call; every page has one, also the last.",
      "An event appears about 15 seconds after it occurred, so that none is skipped. A webhook is faster. An event has the same",
      "bytes and the same eventId as its webhook. An event whose predecessor is missing appears after two minutes at the latest.",
    ].join("\n"),
    query: eventFeedQuery,
    value: eventFeedValue(anyEvent),
    valueExample: {
      items: [exampleOf("business.profile.created")],
      nextCursor: "MTc2NzMyMzA0NS43IDAxOTlmMmM0LTdhMTAtNzAwMC04MDAwLTAwMDAwMDAwMDAwMQ",
      hasMore: false,
    },
  },
};
