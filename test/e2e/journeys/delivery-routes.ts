/** The delivery routes through the gateway, with sessions, against real processes. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { barredOwner, newAccounts } from "../../support/clients/accounts.ts";
import {
  type DashboardClient,
  dashboardClient,
  demoLogin,
  refused,
  WEBHOOKS,
} from "../../support/clients/dashboard-client.ts";
import { partnerClient } from "../../support/clients/partner-client.ts";
import {
  aroundNow,
  askDelivery,
  DELIVERY_ROUTES,
  historyOf,
  type WebhookOwner,
  webhookOwner,
} from "../../support/clients/webhook-owner.ts";
import { expectDocumentedEvent } from "../../support/http/documented.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import type { Detail, Page } from "../../support/stage/delivery-stage.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DAY_MS = 24 * 60 * 60 * 1_000;
const ACME = 0;
const GLOBEX = 1;

let platform: TestPlatform;
let demo: DemoData;
let receiver: Receiver;
let acme: WebhookOwner;
let owner: DashboardClient;
let stranger: DashboardClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  demo = await newAccounts(platform);
  acme = await webhookOwner(platform, demo, ACME);
  ({ owner, receiver } = acme);
  stranger = await dashboardClient(platform.baseUrl, demoLogin(demo, "Owner", GLOBEX));
});
afterEach(() => receiver.answer(200));
afterAll(() => receiver?.close());

const history = (query?: string): Promise<Page> => acme.history(query);
const detail = async (id: string): Promise<Detail> =>
  (await owner.get<Detail>(`${WEBHOOKS}/deliveries/${id}`)).body.value as Detail;
const sendTest = (): Promise<string> => acme.sendTest();
const deliveredOf = (eventId: string) => acme.deliveredOf(eventId);
describe("without a registered webhook", () => {
  test("the history is an empty page", async () => {
    const { status, body } = await owner.get(`${WEBHOOKS}/deliveries`);
    expect([status, body]).toEqual([
      200,
      {
        value: { items: [], page: 1, pageSize: 50, total: 0, nextCursor: null },
        isSuccess: true,
        error: null,
      },
    ]);
  });

  test.each(["/test", "/replay", `/deliveries/${randomUUID()}/replay`])(
    "POST %s: 404 Webhook.EndpointNotFound",
    async (path) => {
      const { status, body } = await owner.post(WEBHOOKS + path, aroundNow());
      expect([status, body]).toEqual([404, refused("Webhook.EndpointNotFound")]);
    },
  );
});

describe("with a webhook", () => {
  beforeAll(async () => {
    await acme.register();
  });

  test("a created profile arrives as signed events and is shown with its attempts and exact body", async () => {
    const partner = await partnerClient(demo, ACME);
    const { customerId } = await partner.value("POST", "/api/partner/v1/business-profiles", aProfile());
    const created = await waitFor(
      () =>
        receiver.requests.find(
          ({ headers, body }) =>
            headers["svc-event-type"] === "business.profile.created" && body.includes(customerId),
        ),
      { what: "the event" },
    );
    const item = await deliveredOf(String(created.headers["svc-event-id"]));
    expect(item).toEqual({
      id: created.headers["svc-delivery-id"],
      eventId: created.headers["svc-event-id"],
      eventType: "business.profile.created",
      customerId: expect.any(String),
      lastErrorKind: null,
      eventVersion: 1,
      occurredAt: expect.stringMatching(TIME),
      status: "Delivered",
      attemptCount: 1,
      nextAttemptAt: null,
      lastStatusCode: 200,
      isReplay: false,
      replaySeries: null,
      completedAt: expect.stringMatching(TIME),
    });
    for (const { body } of receiver.requests) expectDocumentedEvent(JSON.parse(body));
    expect(await detail(item.id)).toEqual({
      ...item,
      attempts: [
        {
          attemptNo: 1,
          sentAt: expect.stringMatching(TIME),
          statusCode: 200,
          responseExcerpt: "",
          durationMs: expect.any(Number),
          errorKind: null,
        },
      ],
      envelopeJson: created.body,
    });
  });

  test("POST test: the event arrives", async () => {
    const eventId = await sendTest();
    expect(eventId).toMatch(UUID);
    const { id } = await deliveredOf(eventId);
    expect(JSON.parse((await detail(id)).envelopeJson ?? "{}")).toMatchObject({
      eventId,
      eventType: "webhook.test",
    });
  });

  test("POST replay of one: a new delivery with the same event id, bytes and Svc-Replay", async () => {
    const eventId = await sendTest();
    const original = await deliveredOf(eventId);
    const { status, body } = await owner.post<{ deliveryId: string }>(
      `${WEBHOOKS}/deliveries/${original.id}/replay`,
    );
    expect([status, body]).toEqual([
      200,
      { value: { deliveryId: expect.stringMatching(UUID) }, isSuccess: true, error: null },
    ]);
    const replay = await waitFor(
      async () => {
        const found = await detail(body.value?.deliveryId ?? "");
        return found?.status === "Delivered" && found;
      },
      { what: "the replay" },
    );
    expect(replay).toMatchObject({ eventId, isReplay: true, replaySeries: expect.stringMatching(UUID) });
    expect(replay.envelopeJson).toBe((await detail(original.id)).envelopeJson);
    const [first, again] = receiver.requests.filter(({ headers }) => headers["svc-event-id"] === eventId);
    expect(again?.body).toBe(first?.body);
    expect([first?.headers["svc-replay"], again?.headers["svc-replay"]]).toEqual([undefined, "true"]);
  });

  test("POST replay of a window: as many as the answer says", async () => {
    const ids = [await sendTest(), await sendTest()];
    for (const id of ids) await deliveredOf(id);
    const { total } = await history("?eventType=webhook.test");
    const { items } = await history("?eventType=webhook.test&pageSize=200");
    const events = new Set(items.map(({ eventId }) => eventId));
    const answer = await owner.post<{ created: number }>(`${WEBHOOKS}/replay`, {
      ...aroundNow(),
      eventType: "webhook.test",
    });
    expect([answer.status, answer.body.value]).toEqual([
      200,
      { created: events.size, replaySeries: expect.any(String) },
    ]);
    await waitFor(
      async () =>
        (await history("?eventType=webhook.test&status=Delivered")).total === (total ?? 0) + events.size,
      { what: "the replays" },
    );
  });

  test("retries through HTTP: Pending with the next attempt, then Exhausted after eight", async () => {
    receiver.answer(500);
    const eventId = await sendTest();
    const pending = await waitFor(
      async () =>
        (await history("?status=Pending")).items.find(
          (item) => item.eventId === eventId && item.attemptCount > 0,
        ),
      { what: "a retry that waits", everyMs: 10 },
    );
    expect(pending).toMatchObject({
      nextAttemptAt: expect.stringMatching(TIME),
      lastStatusCode: 500,
      completedAt: null,
    });
    const exhausted = await waitFor(
      async () => (await history("?status=Exhausted")).items.find((item) => item.eventId === eventId),
      { what: "the end of it" },
    );
    expect(exhausted).toMatchObject({
      attemptCount: 8,
      nextAttemptAt: null,
      completedAt: expect.stringMatching(TIME),
    });
  });

  test("GET event-types: the catalogue", async () => {
    const { status, body } = await owner.get<{ name: string }[]>(`${WEBHOOKS}/event-types`);
    expect(status).toBe(200);
    expect(body.value?.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "business.profile.created",
        "business.profile.updated",
        "business.person.added",
        "business.document.confirmed",
        "webhook.test",
      ]),
    );
    for (const item of body.value ?? [])
      expect(Object.keys(item).sort()).toEqual(["description", "name", "owner", "version"]);
  });
});

describe("what is refused", () => {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

  test.each([
    ["?status=Lost", 400, "Webhook.StatusUnknown"],
    ["?status=pending", 400, "Webhook.StatusUnknown"],
    ["?status[$ne]=Pending", 400, "Webhook.StatusUnknown"],
    ["?status=Pending&status=Delivered", 400, "Webhook.StatusUnknown"],
    ["?from=2026-01-02&to=2026-01-01", 400, "Webhook.RangeInvalid"],
    ["?from=yesterday", 400, "Webhook.RangeInvalid"],
    ["?to[$gt]=", 400, "Webhook.RangeInvalid"],
    ["?page=0", 400, "ValidationControl.Error"],
    ["?pageSize=many", 400, "ValidationControl.Error"],
  ])("GET deliveries%s: %i %s", async (query, status, code) => {
    const answer = await owner.get(`${WEBHOOKS}/deliveries${query}`);
    expect([answer.status, answer.body]).toEqual([status, refused(code)]);
  });

  test("an unknown event type is an empty page, a page too large is cut to 200", async () => {
    expect(await history("?eventType=no.such")).toMatchObject({ items: [], total: 0 });
    expect(await history("?pageSize=1000")).toMatchObject({ pageSize: 200 });
  });

  test.each([
    [{}, "Webhook.RangeInvalid"],
    [{ from: ago(1), to: ago(2) }, "Webhook.RangeInvalid"],
    [{ from: "x", to: ago(1) }, "Webhook.RangeInvalid"],
    [{ from: ago(9), to: ago(1) }, "Webhook.RangeTooWide"],
    [{ from: ago(31), to: ago(29) }, "Webhook.EventExpired"],
    [{ from: ago(2), to: ago(1), status: "Lost" }, "Webhook.StatusUnknown"],
  ])("POST replay %j: 400 %s", async (body, code) => {
    const answer = await owner.post(`${WEBHOOKS}/replay`, body);
    expect([answer.status, answer.body]).toEqual([400, refused(code)]);
  });

  test("a delivery that does not exist, and one of another partner: 404 Webhook.DeliveryNotFound", async () => {
    expect((await stranger.post(WEBHOOKS, { url: receiver.url("/globex") })).status).toBe(200);
    const mine = await deliveredOf(await sendTest());
    for (const [client, id] of [
      [owner, randomUUID()],
      [owner, "not-an-id"],
      [stranger, mine.id],
    ] as const) {
      const read = await client.get(`${WEBHOOKS}/deliveries/${id}`);
      expect([read.status, read.body]).toEqual([404, refused("Webhook.DeliveryNotFound")]);
      const replay = await client.post(`${WEBHOOKS}/deliveries/${id}/replay`);
      expect([replay.status, replay.body]).toEqual([404, refused("Webhook.DeliveryNotFound")]);
    }
    expect((await historyOf(stranger)).total).toBe(0);
  });

  test("a test event that cannot be recorded: 400 Webhook.TestFireRejected, nothing sent", async () => {
    const connection = await mongoose.createConnection(platform.addresses.mongodbUri).asPromise();
    const database = connection.useDb(databaseName(platform.namespace, "delivery")).db;
    const before = receiver.requests.length;
    await database?.command({ collMod: "events", validator: { eventType: { $ne: "webhook.test" } } });
    try {
      const { status, body } = await owner.post(`${WEBHOOKS}/test`);
      expect([status, body]).toEqual([400, refused("Webhook.TestFireRejected")]);
      expect(receiver.requests).toHaveLength(before);
    } finally {
      await database?.command({ collMod: "events", validator: {} });
      await connection.close();
    }
    await deliveredOf(await sendTest());
  });

  test("a disabled endpoint: test and replays 400 Webhook.EndpointDisabled", async () => {
    const { id } = await deliveredOf(await sendTest());
    receiver.answer(410);
    await sendTest();
    await waitFor(
      async () => (await owner.get<{ status: string }>(WEBHOOKS)).body.value?.status === "Disabled",
      { what: "the endpoint to be disabled" },
    );
    receiver.answer(200);
    for (const path of ["/test", "/replay", `/deliveries/${id}/replay`]) {
      const { status, body } = await owner.post(WEBHOOKS + path, aroundNow());
      expect([path, status, body]).toEqual([path, 400, refused("Webhook.EndpointDisabled")]);
    }
    expect((await owner.post(`${WEBHOOKS}/enable`)).status).toBe(200);
    await deliveredOf(await sendTest());
  });
});

describe("who may", () => {
  test.each(DELIVERY_ROUTES)("nobody without a session: %s %s 401", async (method, path) => {
    const anybody = await dashboardClient(platform.baseUrl);
    const { status, body } = await askDelivery(anybody, method, path);
    expect([status, body]).toEqual([401, refused("Partner.NotAuthenticated")]);
  });

  test.each(DELIVERY_ROUTES)("no analyst: %s %s 401", async (method, path) => {
    const analyst = await dashboardClient(platform.baseUrl, demo.analysts[0]);
    const { status, body } = await askDelivery(analyst, method, path);
    expect([status, body]).toEqual([401, refused("Partner.NotAuthenticated")]);
  });

  test("a Viewer reads and changes nothing: 403", async () => {
    const viewer = await dashboardClient(platform.baseUrl, demoLogin(demo, "Viewer"));
    const { id } = (await historyOf(viewer)).items[0] ?? { id: "" };
    expect((await viewer.get(`${WEBHOOKS}/deliveries/${id}`)).status).toBe(200);
    for (const path of ["/test", "/replay", `/deliveries/${id}/replay`]) {
      const { status, body } = await viewer.post(WEBHOOKS + path, aroundNow());
      expect([path, status, body]).toEqual([path, 403, refused("Partner.InsufficientRole")]);
    }
  });

  test.each(["Partner.OnboardingNotApproved", "Partner.Inactive"] as const)(
    "nobody of a partner that is refused with %s: 409; the catalogue is readable all the same",
    async (code) => {
      const client = await barredOwner(platform, code);
      for (const [method, path] of DELIVERY_ROUTES) {
        const body = await waitFor(
          async () => {
            const answer = await askDelivery(client, method, path);
            return answer.status === 409 && answer.body;
          },
          { what: `${method} ${path} to be refused with 409` },
        );
        expect(body).toEqual(refused(code));
      }
      const catalogue = await client.get<unknown[]>(`${WEBHOOKS}/event-types`);
      expect(catalogue.status).toBe(200);
      expect(catalogue.body.value?.length).toBeGreaterThan(4);
    },
  );
});
