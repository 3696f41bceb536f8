/** Signing in and out, what the menu offers each role, and that the API refuses what it hides. */
import { describe, expect, test } from "@jest/globals";
import {
  DOCUMENTED_ROUTES,
  type DocumentedRoute as Route,
} from "../../../gateway/openapi/documented-routes.ts";
import { openWindow, type Person } from "../../support/browser/browser.ts";
import { people } from "../../support/browser/people.ts";
import {
  browserPlatform,
  ownerOf,
  signedIn,
  signedInAnalyst,
  signInHere,
} from "../../support/browser/stage.ts";
import { demoLogin } from "../../support/clients/dashboard-client.ts";

const { keep, journey } = people();

const menuOf = ({ page }: Person): Promise<string[]> =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();

/** Asked by the page itself, with its cookie. */
const statusesOf = ({ page }: Person, routes: readonly Route[]): Promise<string[]> =>
  page.evaluate(
    (all) =>
      Promise.all(
        all.map(async ({ method, path }) => `${(await fetch(path, { method })).status} ${method} ${path}`),
      ),
    routes.map(({ method, path }) => ({ method, path })),
  );

/** Whether a person with this role may call the route. */
const isFor = ({ auth, roles }: Route, role: Role): boolean =>
  auth === "user" ? roles.some((each) => each === role) : auth === "analyst" && role === "Analyst";
const routesHiddenFrom = (role: Role): Route[] =>
  DOCUMENTED_ROUTES.filter(({ auth }) => auth === "user" || auth === "analyst").filter(
    (route) => !isFor(route, role),
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
const MENUS = [
  { role: "Owner", menu: [...PARTNER_MENU, "Team", "Audit log"] },
  { role: "Developer", menu: PARTNER_MENU, besides: learnsThatTheTeamIsForOwners },
  { role: "Viewer", menu: PARTNER_MENU, besides: hasNoButtonThatChanges },
  { role: "Analyst", menu: ["Queue", "Country rules"], besides: hasNoPageOfAPartner },
] as const;
type Role = (typeof MENUS)[number]["role"];

async function learnsThatTheTeamIsForOwners({ page }: Person): Promise<void> {
  await page.goto("/dashboard/team");
  await page.getByText("Team is for Owners.").waitFor();
}

async function hasNoButtonThatChanges({ page }: Person): Promise<void> {
  await page.getByRole("link", { name: "Webhook", exact: true }).click();
  await page.getByText("Your role is Viewer.").waitFor();
  expect(await page.getByRole("button", { name: /Rotate|Register|Change URL/ }).count()).toBe(0);
}

async function hasNoPageOfAPartner({ page }: Person): Promise<void> {
  await page.getByRole("heading", { level: 1, name: "Queue" }).waitFor();
  await page.goto("/dashboard/webhook");
  await page.getByText("This page does not exist, or your role cannot open it.").waitFor();
}

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

  test.each(MENUS)(
    "$role: the menu has their pages and these no more than they may do, and the API refuses every route of the others",
    journey(async ({ role, menu, ...more }) => {
      const { demo } = await browserPlatform();
      const person = keep(
        role === "Analyst" ? await signedInAnalyst() : await signedIn(demoLogin(demo, role)),
      );
      expect(await menuOf(person)).toEqual(menu);
      const answers = await statusesOf(person, routesHiddenFrom(role));
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.filter((line) => !/^40[13] /.test(line))).toEqual([]);
      if ("besides" in more) await more.besides(person);
    }),
  );
});
