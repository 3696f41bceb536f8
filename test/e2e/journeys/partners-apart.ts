/** Partners never meet, and neither do a live partner and its sandbox: every route of the table, tried with the ids of the other side. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { DOCUMENTED_ROUTES, type DocumentedRoute } from "../../../gateway/openapi/documented-routes.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts, openSandbox } from "../../support/clients/accounts.ts";
import {
  type DashboardClient,
  dashboardClient,
  demoLogin,
  PARTNER_PROFILE,
  WEBHOOKS,
} from "../../support/clients/dashboard-client.ts";
import { type PartnerClient, partnerClient } from "../../support/clients/partner-client.ts";
import { aroundNow } from "../../support/clients/webhook-owner.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import { receiverFor, type TestPlatform } from "../../support/stage/platform.ts";
import type { Loose } from "../../support/stage/profile-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const CUSTOMERS = `${PARTNER_PROFILE}/customers`;
const CREDENTIALS = `${PARTNER_PROFILE}/api-credentials`;
const TEAM = `${PARTNER_PROFILE}/team`;

/** Routes that name an id, each with the refusal of another partner's id. */
const ROWS: Record<string, string> = {
  [`PUT ${PROFILES}/:businessProfileId`]: "Partner.NotAuthorized",
  [`PATCH ${PROFILES}/:customerId`]: "Partner.NotAuthorized",
  [`PATCH ${PROFILES}/:customerId/persons/:uboId`]: "Partner.NotAuthorized",
  [`GET ${PROFILES}/:customerId`]: "Partner.NotAuthorized",
  [`GET ${PROFILES}/:customerId/verification-status`]: "Partner.NotAuthorized",
  [`POST ${PROFILES}/:customerId/simulate`]: "Partner.NotAuthorized",
  [`POST ${PROFILES}/:customerId/documents/upload-link`]: "Partner.NotAuthorized",
  // Searches the caller's own customers only, so there is nothing to be forbidden.
  [`GET ${PROFILES}/by-reference/:partnerCustomerId`]: "Customer.NotFound",
  [`GET ${CUSTOMERS}/by-reference/:partnerCustomerId`]: "Customer.NotFound",
  [`GET ${CUSTOMERS}/:customerId`]: "Partner.NotAuthorized",
  [`GET ${CUSTOMERS}/:customerId/verification-status`]: "Partner.NotAuthorized",
  [`POST ${CREDENTIALS}/:credentialId/certificates`]: "ApiCredential.NotFound",
  [`DELETE ${CREDENTIALS}/:credentialId/certificates/:thumbprint`]: "ApiCredential.NotFound",
  [`POST ${CREDENTIALS}/:credentialId/revoke`]: "ApiCredential.NotFound",
  [`GET ${CREDENTIALS}/:credentialId/token-failures`]: "ApiCredential.NotFound",
  [`PATCH ${TEAM}/:userId`]: "User.NotFound",
  [`POST ${TEAM}/:userId/disable`]: "User.NotFound",
  [`POST ${TEAM}/:userId/enable`]: "User.NotFound",
  [`POST ${TEAM}/:userId/end-sessions`]: "User.NotFound",
  [`DELETE ${TEAM}/invitations/:invitationId`]: "Invitation.NotFound",
  [`GET ${WEBHOOKS}/deliveries/:deliveryId`]: "Webhook.DeliveryNotFound",
  [`POST ${WEBHOOKS}/deliveries/:deliveryId/replay`]: "Webhook.DeliveryNotFound",
  [`GET ${WEBHOOKS}/replays/:replaySeries`]: "Webhook.ReplayNotFound",
  [`POST ${WEBHOOKS}/replays/:replaySeries/stop`]: "Webhook.ReplayNotFound",
};

const nameOf = ({ method, path }: DocumentedRoute): string => `${method} ${path}`;
/** Names no id: it acts for the caller, and its answer has nothing of another partner. */
const isOwn = ({ path }: DocumentedRoute): boolean => !path.includes("/:");
const OF_PARTNERS = DOCUMENTED_ROUTES.filter(({ auth }) => auth === "partner" || auth === "user");

type Side = {
  partnerId: string;
  machine: PartnerClient;
  person: DashboardClient;
  ids: Record<string, string>;
};
/** Two live partners and their sandboxes; only the first of each pair below acts, so that the other one is at rest. */
const sides: Side[] = [];
const [LIVE, STRANGER, SANDBOX, STRANGERS_SANDBOX] = [0, 1, 2, 3];
const receivers: Receiver[] = [];

beforeAll(async () => {
  const platform = await journeyPlatform();
  const demo = await newAccounts(platform);
  for (const index of [LIVE, STRANGER])
    sides[index] = await sideOf(
      platform,
      demo,
      index,
      await dashboardClient(demo.baseUrl, demoLogin(demo, "Owner", index)),
    );
  for (const index of [LIVE, STRANGER]) {
    const { twin, inSandbox } = await openSandbox(demo, index);
    sides[index + SANDBOX] = await sideOf(platform, { ...demo, partners: [twin] }, 0, inSandbox);
  }
});
afterAll(() => Promise.all(receivers.map((one) => one.close())));

/** With one of everything that has an id, and nothing on its way any more. */
async function sideOf(
  platform: TestPlatform,
  demo: DemoData,
  index: number,
  person: DashboardClient,
): Promise<Side> {
  const machine = await partnerClient(demo, index);
  const receiver = await receiverFor(platform);
  receivers.push(receiver);
  await person.post(WEBHOOKS, { url: receiver.url() });
  const created = await machine.create(aProfile());
  const list = async (path: string) => (await person.get<{ items: Loose[] }>(path)).body.value?.items ?? [];
  const settled = (count: number) =>
    waitFor(async () => (await list(`${WEBHOOKS}/deliveries?status=Delivered`)).length === count, {
      what: `${count} deliveries`,
    });
  await settled(4);
  const replay = await person.post<{ replaySeries: string }>(`${WEBHOOKS}/replay`, aroundNow());
  await settled(8);
  const { replaySeries = "" } = replay.body.value ?? {};
  await waitFor(async () => (await list(`${WEBHOOKS}/replays`)).every(({ finishedAt }) => finishedAt), {
    what: "the replay to be finished",
  });
  const [delivery] = await list(`${WEBHOOKS}/deliveries`);
  const [credential] = await list(CREDENTIALS);
  const [member] = await list(TEAM);
  const ids = {
    customerId: created.customerId,
    businessProfileId: created.customerId,
    partnerCustomerId: created.partnerCustomerId,
    uboId: created.ubos[0].uboId,
    credentialId: credential?.id,
    thumbprint: credential?.certificates[0].thumbprint,
    deliveryId: delivery?.id,
    replaySeries,
    // Nobody belongs to a sandbox.
    userId: member?.userId ?? randomUUID(),
  };
  return { partnerId: machine.partnerId, machine, person, ids };
}

const withIds = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? name);

function send(side: Side, route: DocumentedRoute, ids: Record<string, string>) {
  const query = route.path.endsWith("ubo-identity-requirements") ? "?countryCode=NGA" : "";
  const path = withIds(route.path, ids) + query;
  const caller = route.auth === "partner" ? side.machine : side.person;
  return caller.send<Loose>(route.method, path, bodyOf(route, ids));
}

/** The example of the document; one that names a customer names the same as the path. */
function bodyOf({ body, doc }: DocumentedRoute, { customerId }: Record<string, string>): object | undefined {
  if (body === "none") return undefined;
  const example = (doc.bodyExample ?? {}) as object;
  return "customerId" in example ? { ...example, customerId } : example;
}

/** Answers of these routes also depend on the time. */
const MOVING = [
  "GET /api/partner/v1/events",
  `GET ${WEBHOOKS}/statistics`,
  `GET ${PARTNER_PROFILE}/request-log`,
];

/** All else that a side can read of itself. */
async function seenBy(side: Side): Promise<string[]> {
  const reads = OF_PARTNERS.filter((route) => route.method === "GET" && !MOVING.includes(nameOf(route)));
  const seen: string[] = [];
  for (const route of reads) {
    const { status, body } = await send(side, route, side.ids);
    seen.push(`${nameOf(route)} ${status} ${JSON.stringify(body.value ?? body.error?.code)}`);
  }
  return seen;
}

test("every route of partners and their people that names an id has a row here, and every row a route", () => {
  const named = OF_PARTNERS.filter((route) => !isOwn(route)).map(nameOf);
  expect(Object.keys(ROWS).toSorted()).toEqual(named.toSorted());
});

describe.each([
  ["a partner, with the ids of another", STRANGER, LIVE],
  ["a sandbox, with the ids of its live partner", SANDBOX, LIVE],
  ["a live partner, with the ids of its sandbox", STRANGER, STRANGERS_SANDBOX],
])("%s", (_name, caller, owner) => {
  test("is refused by name or sees its own, on every route; and changes nothing there", async () => {
    const [own, other] = [sides[caller] as Side, sides[owner] as Side];
    // Both may have registered the same certificate.
    const theirs = [other.partnerId, ...Object.values(other.ids)].filter(
      (id) => !Object.values(own.ids).includes(id),
    );
    const before = await seenBy(other);
    // Routes on the caller's own records come last: a disabled webhook would itself cause refusals.
    for (const route of OF_PARTNERS.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)))) {
      const name = nameOf(route);
      const { status, body } = await send(own, route, other.ids);
      if (!isOwn(route)) {
        expect([name, body.error?.code]).toEqual([name, ROWS[name]]);
        continue;
      }
      // A live partner sees only that its sandbox exists; the audit repeats the request.
      if (/\/(sandbox|audit)$/.test(route.path)) continue;
      if (route.method === "GET") expect([name, status]).toEqual([name, 200]);
      expect([name, status < 500]).toEqual([name, true]);
      const text = JSON.stringify(body);
      expect([name, theirs.filter((id) => text.includes(id))]).toEqual([name, []]);
    }
    expect(await seenBy(other)).toEqual(before);
    await own.person.post(`${WEBHOOKS}/enable`);
  });

  test("finds nothing of it by any filter", async () => {
    const [own, other] = [sides[caller] as Side, sides[owner] as Side];
    const { customerId, partnerCustomerId } = other.ids;
    for (const query of [`?partnerCustomerId=${partnerCustomerId}`, "?companyName=Harbour", "?cursor="]) {
      const { items } = await own.machine.value("GET", PROFILES + query);
      expect((items as Loose[]).map((one) => one.customerId)).not.toContain(customerId);
    }
  });
});

test("only records of a sandbox are marked as tests", async () => {
  for (const [index, { machine, ids }] of sides.entries())
    expect(await machine.profile(ids.customerId ?? "")).toMatchObject({ test: index >= SANDBOX });
});
