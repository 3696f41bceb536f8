/** A session that ends or is too old: nothing stays readable, and nothing is done in the name of another person. */
import { describe, expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { claimCase, createCase, flag } from "../../support/browser/cases.ts";
import { mouse, testByHand } from "../../support/browser/hands.ts";
import { people } from "../../support/browser/people.ts";
import {
  browserPlatform,
  newOwner,
  ownerOf,
  signedIn,
  signedInAnalyst,
  signInHere,
} from "../../support/browser/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const { keep, journey } = people();

const SESSION = "/api/customer/v1/session";
const endSession = (page: Page) =>
  page.evaluate<number>(`fetch("${SESSION}", { method: "DELETE" }).then(({ status }) => status)`);
/** Also when a poll of the page was faster, and the dialog lies over the page already. */
const press = (target: Locator) => target.dispatchEvent("click");
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });
const textOf = async (page: Page): Promise<string> =>
  `${await page.title()} ${await page.locator("main, header").allInnerTexts()}`;
const storageOf = (page: Page) => page.evaluate<string>("JSON.stringify(sessionStorage)");
const url = (page: Page) => page.getByLabel("URL", { exact: true });

describe("a session that has ended", () => {
  testByHand("by keyboard alone")(
    "is noticed without a click; the page is empty until the same person has signed in, then as it was; what waits is sent, $by",
    journey(async ({ handOf }) => {
      const customerId = await createCase({ companyName: "Readable Ltd" });
      const { page, login } = keep(await signedInAnalyst(null));
      await page.clock.install();
      const hand = await claimCase(page, customerId, handOf);
      const signInAgain = async () => {
        await dialogOf(page).waitFor();
        await hand.write("Password", login.password);
        await hand.press("Sign in");
        await hand.write("Code", login.nextCode());
        await hand.press("Sign in");
        await dialogOf(page).waitFor({ state: "hidden" });
      };
      await flag(page, hand, "Website", "It cannot be reached.");
      await hand.press("Approve…");
      await hand.write("Note", "Half a note");
      await endSession(page);
      await page.clock.fastForward("31:00");
      await dialogOf(page).waitFor();
      expect(await textOf(page)).not.toContain("Readable");
      expect(await page.content()).not.toContain("Half a note");
      await signInAgain();
      expect(await page.getByRole("dialog").getByLabel("Note").inputValue()).toBe("Half a note");
      expect(await textOf(page)).toContain("Readable");

      await hand.press("Cancel");
      await endSession(page);
      await hand.press("Request 1 change…");
      await hand.press("Send the request");
      await signInAgain();
      await page.getByText("Awaiting partner", { exact: true }).waitFor();
    }),
  );

  test(
    "a change that waits for the sign-in is not sent in the name of another person",
    journey(async () => {
      const { page } = keep(await signedIn(ownerOf(await newOwner()), "/webhook"));
      const other = ownerOf(await newOwner());
      const changes: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PUT" || request.url().endsWith("/webhooks")) changes.push(request.method());
      });
      await url(page).fill("https://another.example/hook");
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
      expect(await url(page).inputValue()).toBe("");
    }),
  );

  test(
    "another person gets a page of their own, and no flag of the person before",
    journey(async () => {
      const customerId = await createCase({ companyName: "Left Desk Ltd" });
      const { page } = keep(await signedInAnalyst(null));
      const hand = await claimCase(page, customerId, mouse);
      await flag(page, hand, "Website", "It cannot be reached.");
      const other = await (await browserPlatform()).newAnalyst();
      await endSession(page);
      await hand.press("Release");
      await dialogOf(page).waitFor();
      expect(await storageOf(page)).not.toContain("It cannot be reached.");
      expect(await dialogOf(page).getByLabel("Email").count()).toBe(0);
      await dialogOf(page).getByRole("button", { name: "Sign in as another person" }).click();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await signInHere(page, other);
      await page.getByText(other.email).waitFor();
      expect(await storageOf(page)).toBe("{}");
    }),
  );
});

describe("signing out", () => {
  test(
    "clears the other windows of the browser",
    journey(async () => {
      const customerId = await createCase({ companyName: "Two Windows Ltd" });
      const { page } = keep(await signedInAnalyst(`/cases/${customerId}`));
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
      const { page } = keep(await signedIn(ownerOf(await newOwner()), "/webhook"));
      let asked = 0;
      const error = {
        code: "Session.FreshSignInRequired",
        description: "Sign in again.",
        requestId: "r",
        details: [],
      };
      await page.route("**/partner-profile/webhooks", (route) => {
        if (route.request().method() !== "POST") return route.continue();
        asked += 1;
        return route.fulfill({ status: 403, json: { value: null, isSuccess: false, error } });
      });
      await url(page).fill("https://kept.example/hook");
      for (const leave of ["Escape", "Cancel"]) {
        await page.getByRole("button", { name: "Register", exact: true }).click();
        const password = dialogOf(page).getByLabel("Password");
        await password.waitFor();
        await waitFor(() => password.evaluate((field) => field.ownerDocument.activeElement === field), {
          what: "the focus to be on the password",
        });
        if (leave === "Escape") await page.keyboard.press("Escape");
        else await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
        await dialogOf(page).waitFor({ state: "hidden" });
        await page.getByText("Nothing was changed, because you did not sign in again.").waitFor();
        expect(await url(page).inputValue()).toBe("https://kept.example/hook");
      }
      expect(asked).toBe(2);
      await page.unrouteAll({ behavior: "wait" });
    }),
  );
});
