/** An owner at the dashboard with a receiver for its webhook, and what the delivery routes tell it. */
import { randomUUID } from "node:crypto";
import { expect } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import type { Receiver } from "../servers/receiver.ts";
import type { Page } from "../stage/delivery-stage.ts";
import { receiverFor, type TestPlatform } from "../stage/platform.ts";
import { waitFor } from "../wait-for.ts";
import { type DashboardClient, dashboardClient, demoLogin, WEBHOOKS } from "./dashboard-client.ts";

export type WebhookOwner = {
  owner: DashboardClient;
  receiver: Receiver;
  register(): Promise<void>;
  history(query?: string): Promise<Page>;
  /** Answers the id of its event. */
  sendTest(): Promise<string>;
  deliveredOf(eventId: string): Promise<Page["items"][number]>;
  untilStatus(status: string): Promise<unknown>;
};

export async function webhookOwner(
  platform: TestPlatform,
  demo: DemoData = platform.demo,
  index = 0,
): Promise<WebhookOwner> {
  const receiver = await receiverFor(platform);
  const owner = await dashboardClient(platform.baseUrl, demoLogin(demo, "Owner", index));
  const history = (query?: string) => historyOf(owner, query);
  return {
    owner,
    receiver,
    history,
    async register() {
      expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
    },
    async sendTest() {
      const { status, body } = await owner.post<{ eventId: string }>(`${WEBHOOKS}/test`);
      expect(status).toBe(200);
      return body.value?.eventId ?? "";
    },
    deliveredOf: (eventId) =>
      waitFor(
        async () => (await history("?status=Delivered")).items.find((item) => item.eventId === eventId),
        { what: "the delivery" },
      ),
    untilStatus: (status) =>
      waitFor(async () => (await owner.get<{ status: string }>(WEBHOOKS)).body.value?.status === status, {
        what: `the endpoint to be ${status}`,
      }),
  };
}

export const historyOf = async (client: DashboardClient, query = ""): Promise<Page> =>
  (await client.get<Page>(`${WEBHOOKS}/deliveries${query}`)).body.value as Page;

const DAY_MS = 24 * 60 * 60 * 1_000;
export const aroundNow = () => ({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});

/** Those of the delivery service, with the body that each takes or ignores. */
export const DELIVERY_ROUTES = [
  ["GET", "/deliveries"],
  ["GET", `/deliveries/${randomUUID()}`],
  ["POST", `/deliveries/${randomUUID()}/replay`],
  ["POST", "/replay"],
  ["POST", "/test"],
] as const;
export const askDelivery = (client: DashboardClient, method: "GET" | "POST", path: string) =>
  method === "GET" ? client.get(WEBHOOKS + path) : client.post(WEBHOOKS + path, aroundNow());
