import { expect } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import type { Page } from "../stage/delivery-stage.ts";
import { receiverFor, type TestPlatform } from "../stage/platform.ts";
import { waitFor } from "../wait-for.ts";
import { dashboardClient, demoLogin, WEBHOOKS } from "./dashboard-client.ts";

export type WebhookOwner = Awaited<ReturnType<typeof webhookOwner>>;

export async function webhookOwner(platform: TestPlatform, demo: DemoData = platform.demo, index = 0) {
  const receiver = await receiverFor(platform);
  const owner = await dashboardClient(platform.baseUrl, demoLogin(demo, "Owner", index));
  const history = async (query = ""): Promise<Page> =>
    (await owner.get<Page>(`${WEBHOOKS}/deliveries${query}`)).body.value as Page;
  return {
    owner,
    receiver,
    history,
    async register(): Promise<void> {
      expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
    },
    async sendTest(): Promise<string> {
      const { status, body } = await owner.post<{ eventId: string }>(`${WEBHOOKS}/test`);
      expect(status).toBe(200);
      return body.value?.eventId ?? "";
    },
    deliveredOf: (eventId: string) =>
      waitFor(
        async () => (await history("?status=Delivered")).items.find((item) => item.eventId === eventId),
        { what: "the delivery" },
      ),
    untilStatus: (status: string) =>
      waitFor(async () => (await owner.get<{ status: string }>(WEBHOOKS)).body.value?.status === status, {
        what: `the endpoint to be ${status}`,
      }),
  };
}

const DAY_MS = 24 * 60 * 60 * 1_000;
export const aroundNow = () => ({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
});
