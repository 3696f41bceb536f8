/** The platform and the people of the browser tests; each part of the suite has partners of its own. */

import type { Locator, Page } from "playwright-core";
import { buildDashboard } from "../../../deploy/dashboard/build.ts";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { lazily } from "../../../shared/lazily.ts";
import { demoLogin, type Login, signIn } from "../clients/dashboard-client.ts";
import { testServers } from "../servers/servers.ts";
import { watchScans } from "../stage/scans.ts";
import { startWholeStage } from "../stage/whole-stage.ts";
import { giveSession, openWindow, type Person } from "./browser.ts";

export const browserPlatform = lazily(async () => {
  await buildDashboard();
  return startWholeStage(
    {
      PBO_DELIVERY_RETRY_SCHEDULE: "0,0.2,0.2,0.2,0.2,0.2,0.2,0.2",
      PBO_WEBHOOK_SWEEP_MS: "1000",
      PBO_WEBHOOK_DISABLED_AFTER_MS: "1500",
    },
    // Enough for a customer in every state.
    { demoCustomers: 18 },
  );
});

/** A partner of a test's own, with one person. */
export const newOwner = async (): Promise<DemoData> => (await browserPlatform()).withNewPartner(["Owner"]);

/** From the start on, so that it sees what every part does. */
export const scanWatch = lazily(async () => {
  const { namespace } = await browserPlatform();
  return watchScans(testServers().mongodbUri, namespace);
});

/** With a session of their own. */
export async function signedIn(login: Login): Promise<Person> {
  const { baseUrl, demo } = await browserPlatform();
  const [person, { cookie }] = await Promise.all([openWindow(baseUrl), signIn(demo, login)]);
  await giveSession(person.page, baseUrl, cookie);
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
/** Another analyst. */
export const colleagueOf = ({ analysts: [, analyst] }: DemoData): Login => {
  if (!analyst) throw new Error("There is only one analyst.");
  return analyst;
};
