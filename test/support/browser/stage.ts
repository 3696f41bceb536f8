/** The platform and the people of the browser tests; each part of the suite has partners of its own. */
import type { Locator, Page } from "playwright-core";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { SETTINGS } from "../../../shared/config/config.ts";
import { lazily } from "../../../shared/lazily.ts";
import { buildPages } from "../built-pages.ts";
import {
  type DashboardClient,
  dashboardClient,
  demoLogin,
  type Login,
  signIn,
} from "../clients/dashboard-client.ts";
import type { Enrolled } from "../clients/second-factor.ts";
import { testServers } from "../servers/servers.ts";
import { watchScans } from "../stage/scans.ts";
import { startWholeStage } from "../stage/whole-stage.ts";
import { giveSession, openWindow, type Person } from "./browser.ts";

export const browserPlatform = lazily(async () => {
  await buildPages();
  return startWholeStage(
    {
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.2,0.2,0.2,0.2,0.2,0.2,0.2",
      PBO_WEBHOOK_SWEEP_MS: "1000",
      PBO_WEBHOOK_DISABLED_AFTER_MS: "1500",
      // As in production, where the other suites are about something else.
      PBO_SECOND_FACTOR: SETTINGS.secondFactorFor.default ?? "",
      PBO_FRESH_SIGN_IN_MINUTES: SETTINGS.freshSignInMinutes.default ?? "",
    },
    // Enough for a customer in every state.
    { demoCustomers: 18 },
  );
});

export const newOwner = async (): Promise<DemoData> => (await browserPlatform()).withNewPartner(["Owner"]);

/** From the start on, so that it sees what every part does. */
export const scanWatch = lazily(async () => {
  const { namespace } = await browserPlatform();
  return watchScans(testServers().mongodbUri, namespace);
});

/** With a session of their own, on a page below /dashboard. */
export async function signedIn(login: Login, path?: string | null): Promise<Person> {
  const { demo } = await browserPlatform();
  return withSession((await signIn(demo, login)).cookie, path);
}

/** Each with an analyst of their own: a code of the second factor is accepted once. */
export async function signedInAnalyst(path?: string | null): Promise<Person & { login: Enrolled }> {
  const login = await (await browserPlatform()).newAnalyst();
  return { ...(await withSession(login.cookie, path)), login };
}

/** Null: no page yet, for a test that first replaces the clock or an answer. */
async function withSession(cookie: string, path: string | null = ""): Promise<Person> {
  const { baseUrl } = await browserPlatform();
  const person = await openWindow(baseUrl);
  await giveSession(person.page, baseUrl, cookie);
  if (path === null) return person;
  await person.page.goto(`/dashboard${path}`);
  await person.page.getByRole("navigation", { name: "Main" }).waitFor();
  return person;
}

/** On the page, or in the dialog that covers it. */
export async function signInHere(
  place: Page | Locator,
  { email, password, nextCode }: Login & Partial<Enrolled>,
): Promise<void> {
  const go = place.getByRole("button", { name: "Sign in", exact: true });
  await place.getByLabel("Email").fill(email);
  await place.getByLabel("Password").fill(password);
  await go.click();
  if (!nextCode) return;
  await place.getByLabel("Code", { exact: true }).fill(nextCode());
  await go.click();
}

export const ownerOf = (demo: DemoData): Login => demoLogin(demo, "Owner");

/** As an analyst who has just signed in, without a browser. */
export async function analystClient(): Promise<DashboardClient & { email: string }> {
  const { baseUrl, newAnalyst } = await browserPlatform();
  const { email, cookie } = await newAnalyst();
  return { email, ...(await dashboardClient(baseUrl, undefined, { Cookie: cookie })) };
}
