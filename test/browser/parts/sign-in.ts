/** Signing in and out, what the menu offers each role, and that the API refuses what it hides. */
import { describe, expect, test } from "@jest/globals";
import { openWindow, type Person } from "../../support/browser/browser.ts";
import { people } from "../../support/browser/people.ts";
import { analystOf, browserPlatform, ownerOf, signedIn, signInHere } from "../../support/browser/stage.ts";
import { demoLogin } from "../../support/clients/dashboard-client.ts";

const keep = people();

const menuOf = ({ page }: Person): Promise<string[]> =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();

const statusOf = ({ page }: Person, method: string, path: string): Promise<number> =>
  page.evaluate(
    async ([how, where]) => (await fetch(where ?? "", { method: how ?? "" })).status,
    [method, path],
  );

const PARTNER_MENU = [
  "Overview",
  "Customers",
  "Webhook",
  "Deliveries",
  "Replay",
  "Events",
  "Signature check",
  "API credentials",
  "Requests",
];
const TEAM = "/api/customer/v1/partner-profile/team";

describe("signing in", () => {
  test("the root leads to the dashboard, a wrong password says so once, a right one opens the overview", async () => {
    const { baseUrl, demo } = await browserPlatform();
    const person = keep(await openWindow(baseUrl));
    await person.page.goto("/");
    await signInHere(person.page, { ...ownerOf(demo), password: "not the password" });
    await person.page.getByRole("alert").waitFor();
    expect(await person.page.getByRole("alert").count()).toBe(1);
    await signInHere(person.page, ownerOf(demo));
    await person.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(new URL(person.page.url()).pathname).toBe("/dashboard/overview");
    await person.page.getByRole("button", { name: "Sign out" }).click();
    await person.page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  });

  test("an Owner sees the team, a Viewer does not and is refused by the API as well", async () => {
    const { demo } = await browserPlatform();
    const owner = keep(await signedIn(ownerOf(demo)));
    expect(await menuOf(owner)).toEqual([...PARTNER_MENU, "Team", "Audit trail"]);
    expect(await statusOf(owner, "GET", TEAM)).toBe(200);
    const viewer = keep(await signedIn(demoLogin(demo, "Viewer")));
    expect(await menuOf(viewer)).toEqual(PARTNER_MENU);
    expect(await statusOf(viewer, "GET", TEAM)).toBe(403);
    await viewer.page.getByRole("link", { name: "Webhook", exact: true }).click();
    await viewer.page.getByText("As a Viewer you can look").waitFor();
    expect(await viewer.page.getByRole("button", { name: /Rotate|Register|Change URL/ }).count()).toBe(0);
    expect(await statusOf(viewer, "POST", "/api/customer/v1/partner-profile/webhooks/rotate-secret")).toBe(
      403,
    );
  });

  test("an analyst lands on the queue, has no page of a partner, and the API refuses one", async () => {
    const { demo } = await browserPlatform();
    const analyst = keep(await signedIn(analystOf(demo)));
    await analyst.page.getByRole("heading", { level: 1, name: "Queue" }).waitFor();
    expect(await menuOf(analyst)).toEqual(["Queue", "Country rules"]);
    await analyst.page.goto("/dashboard/webhook");
    await analyst.page.getByText("There is no such page for your role.").waitFor();
    expect(await statusOf(analyst, "GET", "/api/customer/v1/partner-profile/webhooks")).toBe(401);
  });
});
