/** A session that ends or is too old: nothing stays readable, and nothing is done in the name of another person. */
import { describe, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { people } from "../../support/browser/people.ts";
import {
  browserPlatform,
  newOwner,
  ownerOf,
  signedIn,
  signedInAnalyst,
  signInHere,
} from "../../support/browser/stage.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { partnerClient } from "../../support/clients/partner-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const { keep, journey } = people();

const SESSION = "/api/customer/v1/session";
const endSession = (page: Page) =>
  page.evaluate<number>(`fetch("${SESSION}", { method: "DELETE" }).then(({ status }) => status)`);
/** Also when a poll of the page was faster, and the dialog lies over the page already. */
const press = (target: Locator) => target.dispatchEvent("click");
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });
const textOf = async (page: Page): Promise<string> =>
  `${await page.title()} ${await page.locator("main").innerText()}`;

const aCase = async (companyName: string) => {
  const { customerId } = await (await partnerClient(await newOwner())).create(aProfile({ companyName }));
  const analyst = keep(await signedInAnalyst());
  return { ...analyst, customerId: String(customerId) };
};

describe("a session that has ended", () => {
  test(
    "is noticed without a click; the page is empty until the same person has signed in, then as it was",
    journey(async () => {
      const { page, login, customerId } = await aCase("Readable Ltd");
      await page.clock.install();
      await page.goto(`/dashboard/cases/${customerId}`);
      await page.getByRole("button", { name: "Claim", exact: true }).click();
      await page.getByRole("button", { name: "Approve…" }).click();
      await page.getByLabel("Note", { exact: true }).fill("Half a note");
      await endSession(page);
      await page.clock.fastForward("31:00");
      await dialogOf(page).waitFor();
      expect(await textOf(page)).not.toContain("Readable");
      expect(await page.content()).not.toContain("Half a note");
      await dialogOf(page).getByLabel("Password").fill(login.password);
      await dialogOf(page).getByRole("button", { name: "Sign in", exact: true }).click();
      await dialogOf(page).getByLabel("Code").fill(login.nextCode());
      await dialogOf(page).getByRole("button", { name: "Sign in", exact: true }).click();
      await dialogOf(page).waitFor({ state: "hidden" });
      expect(await page.getByRole("dialog").getByLabel("Note").inputValue()).toBe("Half a note");
      expect(await textOf(page)).toContain("Readable");
    }),
  );

  test(
    "a change that waits for the sign-in is not sent in the name of another person",
    journey(async () => {
      const demo = await newOwner();
      const { page } = keep(await signedIn(ownerOf(demo)));
      const other = ownerOf(await newOwner());
      const changes: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PUT" || request.url().endsWith("/webhooks")) changes.push(request.method());
      });
      await page.getByRole("link", { name: "Webhook", exact: true }).click();
      await page.getByLabel("URL", { exact: true }).fill("https://another.example/hook");
      await endSession(page);
      await press(page.getByRole("button", { name: "Register", exact: true }));
      await dialogOf(page).waitFor();
      const before = changes.filter((method) => method !== "GET").length;
      // In a second window of the same browser: both share the cookie.
      const second = await page.context().newPage();
      await second.goto("/dashboard");
      await signInHere(second, other);
      await second.getByRole("navigation", { name: "Main" }).waitFor();
      await page.getByText(other.email).waitFor();
      await dialogOf(page).waitFor({ state: "hidden" });
      expect(changes.filter((method) => method !== "GET")).toHaveLength(before);
      expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("");
    }),
  );

  test(
    "another person takes over the dialog by a page of their own",
    journey(async () => {
      const { page } = keep(await signedIn(ownerOf(await newOwner())));
      const other = ownerOf(await newOwner());
      await endSession(page);
      await press(page.getByRole("link", { name: "Customers", exact: true }));
      await dialogOf(page).waitFor();
      expect(await dialogOf(page).getByLabel("Email").count()).toBe(0);
      await dialogOf(page).getByRole("button", { name: "Sign in as another person" }).click();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await signInHere(page, other);
      await page.getByText(other.email).waitFor();
    }),
  );
});

describe("signing out", () => {
  test(
    "clears the other windows of the browser",
    journey(async () => {
      const { page, customerId } = await aCase("Two Windows Ltd");
      await page.goto(`/dashboard/cases/${customerId}`);
      await page.getByRole("heading", { level: 1, name: "Two Windows Ltd" }).waitFor();
      const second = await page.context().newPage();
      await second.goto("/dashboard");
      await second.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      expect(await page.content()).not.toContain("Two Windows Ltd");
    }),
  );
});

describe("a step that needs a fresh sign-in", () => {
  test(
    "Escape and Cancel leave the dialog: the step is not done, its entries stay, and the focus was on the password",
    journey(async () => {
      const { baseUrl } = await browserPlatform();
      const { page } = keep(await signedIn(ownerOf(await newOwner())));
      const asked: string[] = [];
      await page.route(`${baseUrl}/api/customer/v1/partner-profile/webhooks`, (route) => {
        if (route.request().method() !== "POST") return route.continue();
        asked.push(route.request().url());
        return route.fulfill({
          status: 403,
          json: {
            value: null,
            isSuccess: false,
            error: {
              code: "Session.FreshSignInRequired",
              description: "Sign in again.",
              requestId: "r",
              details: [],
            },
          },
        });
      });
      await page.getByRole("link", { name: "Webhook", exact: true }).click();
      await page.getByLabel("URL", { exact: true }).fill("https://kept.example/hook");
      for (const leave of ["Escape", "Cancel"]) {
        await page.getByRole("button", { name: "Register", exact: true }).click();
        await dialogOf(page).waitFor();
        await waitFor(
          () =>
            dialogOf(page)
              .getByLabel("Password")
              .evaluate((field) => field.ownerDocument.activeElement === field),
          { what: "the focus to be on the password" },
        );
        if (leave === "Escape") await page.keyboard.press("Escape");
        else await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
        await dialogOf(page).waitFor({ state: "hidden" });
        await page.getByText("This was not done, because you did not sign in again.").waitFor();
        expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("https://kept.example/hook");
      }
      expect(asked).toHaveLength(2);
      await page.unrouteAll({ behavior: "wait" });
    }),
  );
});
