import createClient from "openapi-fetch";
import { business, classOf, env } from "./class-of.ts";
import type { paths } from "./partner.d.ts";

const api = createClient<paths>({ baseUrl: env.BASE_URL, headers: { Authorization: `Bearer ${env.TOKEN}` } });
const PROFILES = "/api/partner/v1/business-profiles";
const created = await api.POST(PROFILES, { body: business("a@b.example") });
const refused = await api.POST(PROFILES, { body: business("none") });
const listed = await api.GET(PROFILES);
const feed = await api.GET("/api/partner/v1/events", {
  params: { query: { cursor: env.CURSOR, pageSize: 100 } },
});
console.log(
  JSON.stringify({
    created: created.data?.value.customerId,
    listed: listed.data?.value.items.length,
    refused: refused.error?.error.code,
    events: feed.data?.value.items.map((event) => [event.eventType, classOf(event)]),
  }),
);
