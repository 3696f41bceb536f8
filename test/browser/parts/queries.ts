/** No query behind the dashboard reads a whole collection: not of the journeys before, and of no filter of any list. */
import { describe, expect, test } from "@jest/globals";
import {
  DOCUMENTED_ROUTES,
  type DocumentedRoute as Route,
} from "../../../gateway/openapi/documented-routes.ts";
import { analystClient, browserPlatform, ownerOf, scanWatch } from "../../support/browser/stage.ts";
import {
  type DashboardClient,
  dashboardClient,
  PARTNER_PROFILE,
  WEBHOOKS,
} from "../../support/clients/dashboard-client.ts";
import { aroundNow } from "../../support/clients/webhook-owner.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";

const UNKNOWN_ID = "0190b9a2-0000-7000-8000-000000000000";
/** What a filter that is a text is asked with; the others name their values themselves. */
const TEXTS: Record<string, string> = {
  eventType: "business.profile.created",
  from: new Date(Date.now() - 86_400_000).toISOString(),
  to: new Date().toISOString(),
  page: "2",
  pageSize: "10",
  search: "acme",
  country: "NGA",
  countryCode: "NGA",
  claimedBy: "me",
  partnerCustomerId: "reference",
  registrationNumber: "R1",
  incorporationCountryIso3Code: "NGA",
  businessTypeCode: "LLC",
  industry: "Grants",
  companyName: "acme",
  createdFrom: "2026-01-01",
  createdTo: "2026-12-31",
  updatedFrom: "2026-01-01",
  updatedTo: "2026-12-31",
};

type Rule = { type?: string; values?: string[]; enum?: string[] };

/** Every filter by itself with each of its values, a page further, and none. */
function queriesOf({ doc }: Route): string[] {
  const { cursor: _cursor, ...filters } = (doc.query ?? {}) as Record<string, Rule>;
  return [
    "",
    ...Object.entries(filters).flatMap(([name, { type, values, enum: words }]) => {
      const known = values ?? words ?? (type === "uuid" ? [UNKNOWN_ID] : [TEXTS[name]]);
      return known.map((value) => {
        if (value === undefined) throw new Error(`No value to ask ${name} with.`);
        return `?${name}=${encodeURIComponent(value)}`;
      });
    }),
  ];
}

async function askAll(client: DashboardClient, route: Route, path: string): Promise<string[]> {
  const answers: string[] = [];
  const ask = async (query: string): Promise<Loose> => {
    const { status, body } = await client.get<Loose>(path + query);
    answers.push(`${status} ${path}${query}`);
    return body.value ?? {};
  };
  for (const query of queriesOf(route)) await ask(query);
  if (!route.doc.query || !("cursor" in route.doc.query)) return answers;
  const begin = "page" in route.doc.query ? "?pageSize=1&cursor=" : "?pageSize=1";
  const { nextCursor } = await ask(begin);
  if (nextCursor) await ask(`?pageSize=1&cursor=${encodeURIComponent(nextCursor)}`);
  return answers;
}

/** Something that is there for each name in a path. */
async function namesFor(owner: DashboardClient): Promise<Record<string, string>> {
  const first = async (client: DashboardClient, path: string): Promise<Loose> => {
    const [item] = (await client.get<Loose>(path)).body.value?.items ?? [];
    if (!item) throw new Error(`Nothing is in ${path}.`);
    return item;
  };
  const { partnerCustomerId, customerId } = await first(owner, `${PARTNER_PROFILE}/customers`);
  const { id: deliveryId } = await first(owner, `${WEBHOOKS}/deliveries`);
  const { id: credentialId } = await first(owner, `${PARTNER_PROFILE}/api-credentials`);
  const { status } = await owner.post(`${WEBHOOKS}/replay`, aroundNow());
  if (status !== 200) throw new Error(`The replay answers ${status}.`);
  const { replaySeries } = await first(owner, `${WEBHOOKS}/replays`);
  return { partnerCustomerId, customerId, deliveryId, credentialId, replaySeries };
}

describe("no query reads a whole collection", () => {
  test("no list with any filter reads a whole collection, nor did the other parts", async () => {
    const { baseUrl, demo } = await browserPlatform();
    const scans = await scanWatch();
    const owner = await dashboardClient(baseUrl, ownerOf(demo));
    const analyst = await analystClient();
    const names = await namesFor(owner);
    const rows = DOCUMENTED_ROUTES.filter(
      ({ method, auth }) => method === "GET" && auth !== "partner" && auth !== "none",
    );
    const answers: string[] = [];
    for (const route of rows) {
      const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => {
        const known = names[name];
        if (!known) throw new Error(`Nothing is named ${name}.`);
        return known;
      });
      answers.push(...(await askAll(route.auth === "analyst" ? analyst : owner, route, path)));
    }
    const refused = answers.filter((line) => !line.startsWith("200 "));
    expect(refused).toEqual([`404 ${PARTNER_PROFILE}/sandbox`]);
    expect(await scans.seen()).toEqual([]);
    await scans.scanOnPurpose();
    expect(await scans.seen()).toEqual([expect.stringContaining("onPurpose")]);
  });
});
