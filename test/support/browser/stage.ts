/** The platform and the people of the browser tests; each part of the suite has partners of its own. */

import type { Locator, Page } from "playwright-core";
import { buildDashboard } from "../../../deploy/dashboard/build.ts";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { demoLogin, type Login } from "../clients/dashboard-client.ts";
import { once } from "../once.ts";
import { startPlatform } from "../stage/platform.ts";
import { openWindow, type Person } from "./browser.ts";

export const browserPlatform = once(async () => {
  await buildDashboard();
  return startPlatform({
    anyServers: true,
    demoCustomers: 40,
    env: {
      // A busy machine must not matter.
      PBO_REQUEST_TIMEOUT_MS: "15000",
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.2,0.2,0.2,0.2,0.2,0.2,0.2",
      PBO_DELIVERY_POLL_MS: "50",
      PBO_WEBHOOK_SWEEP_MS: "100",
      PBO_WEBHOOK_DISABLED_AFTER_MS: "1500",
    },
  });
});

export async function signedIn(
  login: Login,
  options: Parameters<typeof openWindow>[1] = {},
): Promise<Person> {
  const { baseUrl } = await browserPlatform();
  const person = await openWindow(baseUrl, options);
  await person.page.goto("/dashboard");
  await signInHere(person.page, login);
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
