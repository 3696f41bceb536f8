import { business, classOf, env } from "./class-of.ts";
import { client } from "./partner/client.gen.ts";
import { deliveryListEvents, profileCreate, profileList } from "./partner/index.ts";

client.setConfig({ baseUrl: env.BASE_URL, auth: env.TOKEN });
const created = await profileCreate({ body: business("a@b.example") });
const refused = await profileCreate({ body: business("none") });
const listed = await profileList();
const feed = await deliveryListEvents({ query: { cursor: env.CURSOR, pageSize: 100 } });
console.log(
  JSON.stringify({
    created: created.data?.value.customerId,
    listed: listed.data?.value.items.length,
    refused: refused.error?.error.code,
    events: feed.data?.value.items.map((event) => [event.eventType, classOf(event)]),
  }),
);
