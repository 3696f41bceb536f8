/** A partner's Owner at the dashboard, with a webhook receiver and calls of the delivery routes. */
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
  /** Returns the id of the test event. */
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

const historyOf = async (client: DashboardClient, query = ""): Promise<Page> =>
  (await client.get<Page>(`${WEBHOOKS}/deliveries${query}`)).body.value as Page;

const DAY_MS = 24 * 60 * 60 * 1_000;
export const aroundNow = () => ({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});
