/** The platform and the people of the browser tests; each part of the suite has partners of its own. */

import type { Locator, Page } from "playwright-core";
import { buildDashboard } from "../../../deploy/dashboard/build.ts";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { newAccounts } from "../clients/accounts.ts";
import { demoLogin, type Login, signIn } from "../clients/dashboard-client.ts";
import { once } from "../once.ts";
import { startPlatform } from "../stage/platform.ts";
import { watchScans } from "../stage/scans.ts";
import { openWindow, type Person } from "./browser.ts";

export const browserPlatform = once(async () => {
  await buildDashboard();
  return startPlatform({
    anyServers: true,
    // Enough for a customer in every state.
    demoCustomers: 18,
    env: {
      // A busy machine must not matter.
      PBO_REQUEST_TIMEOUT_MS: "15000",
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.2,0.2,0.2,0.2,0.2,0.2,0.2",
      PBO_DELIVERY_POLL_MS: "200",
      PBO_WEBHOOK_SWEEP_MS: "400",
      PBO_WEBHOOK_DISABLED_AFTER_MS: "1500",
    },
  });
});

/** A partner of a test's own, with one person. */
export const newOwner = async (): Promise<DemoData> =>
  newAccounts(await browserPlatform(), { partners: 1, roles: ["Owner"] });

/** From the start on, so that it sees what every part does. */
export const scanWatch = once(async () => {
  const { addresses, namespace } = await browserPlatform();
  return watchScans(addresses.mongodbUri, namespace);
});

/** By the cookie of a session of their own; the form is for the tests that are about it. */
export async function signedIn(
  login: Login,
  options: Parameters<typeof openWindow>[1] = {},
): Promise<Person> {
  const { baseUrl, demo } = await browserPlatform();
  const [person, { cookie }] = await Promise.all([openWindow(baseUrl, options), signIn(demo, login)]);
  const [name = ""] = cookie.split("=", 1);
  const value = cookie.slice(name.length + 1);
  await person.page.context().addCookies([{ name, value, url: baseUrl, httpOnly: true, sameSite: "Lax" }]);
  await person.page.goto("/dashboard");
  await person.page.getByRole("navigation", { name: "Main" }).waitFor();
  return person;
}

/** On the page, or in the dialog that lies over one. */
export async function signInHere(place: Page | Locator, { email, password }: Login): Promise<void> {
  await place.getByLabel("Email").fill(email);
  await place.getByLabel("Password").fill(password);
  await place.getByRole("button", { name: "Sign in" }).click();
}

export const ownerOf = (demo: DemoData): Login => demoLogin(demo, "Owner");
export const analystOf = ({ analysts: [analyst] }: DemoData): Login => {
  if (!analyst) throw new Error("There is no analyst.");
  return analyst;
};
