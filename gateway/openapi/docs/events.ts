/** Documentation of the feed of events. */
import { eventFeedQuery, eventFeedValue } from "../../../services/delivery/delivery.schemas.ts";
import { anyEvent, exampleOf } from "../documented-webhooks.ts";
import type { DocsOf } from "../route-doc.ts";

export const eventDocs: DocsOf<"Events"> = {
  "delivery.listEvents": {
    summary: "Read events instead of receiving them",
    description: [
      "Every event of the last 30 days, in the order in which they were recorded, whether a webhook is registered or not. Keep",
      "nextCursor and ask with it again: there is always one, also on the last page. An event appears here about 45 seconds after",
      "it occurred, so that none is passed over; a webhook is faster. An event has the same bytes and the same eventId as its webhook.",
    ].join("\n"),
    query: eventFeedQuery,
    value: eventFeedValue(anyEvent),
    valueExample: {
      items: [exampleOf("business.profile.created")],
      nextCursor: "MTc2NzMyMzA0NTY3OCAwMTk5ZjJjNC03YTEwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDE",
      hasMore: false,
    },
    errors: ["ValidationControl.Error"],
  },
};
