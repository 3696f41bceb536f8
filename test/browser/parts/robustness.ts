/** Slow servers, errors of our own, long lists, and where the focus is. */
import { describe, expect, test } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { people } from "../../support/browser/people.ts";
import { browserPlatform, newOwner, ownerOf, signedIn } from "../../support/browser/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const { keep, journey } = people();
const WEBHOOKS = "**/api/customer/v1/partner-profile/webhooks";
const CUSTOMERS = "**/api/customer/v1/partner-profile/customers?*";

const anOwner = async () => keep(await signedIn(ownerOf((await browserPlatform()).demo)));
const isFocused = (page: Page, name: string): Promise<boolean> =>
  page
    .getByRole("button", { name, exact: true })
    .evaluate((button) => button.ownerDocument.activeElement === button);

describe("answers slower than the polling interval", () => {
  test(
    "a live page asks again only after the answer before, and shows it",
    journey(async () => {
      const { page } = keep(await signedIn(ownerOf(await newOwner())));
      const held: Route[] = [];
      await page.clock.install();
      await page.route(WEBHOOKS, (route) => void held.push(route));
      await page.goto("/dashboard/webhook");
      await waitFor(() => held.length === 1, { what: "the first request" });
      // Three turns of the clock of this page.
      for (let turn = 0; turn < 3; turn += 1) await page.clock.runFor(6_000);
      expect(held).toHaveLength(1);
      await held[0]?.continue();
      await page.getByText("Not registered", { exact: true }).first().waitFor();
      await page.clock.runFor(6_000);
      await waitFor(() => held.length === 2, { what: "the next request" });
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }),
  );
});

describe("an error of the dashboard itself", () => {
  test(
    "ends one page with a message, and the menu leads on",
    journey(async () => {
      const { page, problems } = await anOwner();
      await page.route(CUSTOMERS, (route) =>
        route.fulfill({ json: { value: {}, isSuccess: true, error: null } }),
      );
      await page.goto("/dashboard/customers");
      await page.getByRole("heading", { level: 1, name: "This page has an error" }).waitFor();
      await page.getByRole("button", { name: "Reload" }).waitFor();
      await page.getByRole("link", { name: "Events", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Event" }).waitFor();
      expect(problems.splice(0)).toEqual([expect.stringContaining("console: TypeError")]);
      await page.unrouteAll({ behavior: "wait" });
    }),
  );
});

describe("a list", () => {
  test(
    "the next page begins at its top with the focus on the list; Back finds the place of the reader again",
    journey(async () => {
      const { page } = await anOwner();
      await page.setViewportSize({ width: 1000, height: 500 });
      await page.goto("/dashboard/deliveries");
      const next = page.getByRole("link", { name: "Next page" });
      await next.scrollIntoViewIfNeeded();
      const place = await page.evaluate<number>("Math.round(scrollY)");
      expect(place).toBeGreaterThan(300);
      await next.click();
      await page.getByRole("link", { name: "First page" }).waitFor();
      expect(await page.evaluate<boolean>('document.activeElement.classList.contains("list")')).toBe(true);
      await waitFor(async () => (await page.evaluate<number>("scrollY")) < place, {
        what: "the top of the list",
      });
      await page.goBack();
      await waitFor(async () => Math.abs((await page.evaluate<number>("scrollY")) - place) < 2, {
        what: "the place before",
      });
      // From a page of its own as well.
      await page.goto("/dashboard/customers");
      const row = page.locator("a.row-link").last();
      await row.scrollIntoViewIfNeeded();
      const far = await page.evaluate<number>("Math.round(scrollY)");
      await row.click();
      await page
        .getByRole("link", { name: /Customers/ })
        .last()
        .waitFor();
      await page.goBack();
      await waitFor(async () => Math.abs((await page.evaluate<number>("scrollY")) - far) < 2, {
        what: "the row before",
      });
    }),
  );
});

describe("the focus", () => {
  test(
    "returns to the control that opened a dialog, and stays in its part of the page when that control is gone",
    journey(async () => {
      const { page } = await anOwner();
      await page.goto("/dashboard/webhook");
      const opener = page.getByRole("button", { name: "Rotate secret…" });
      await opener.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await isFocused(page, "Rotate secret…")).toBe(true);
      await opener.evaluate((button) => button.remove());
      await waitFor(() => page.evaluate<boolean>("/^H[123]$/.test(document.activeElement.tagName)"), {
        what: "the focus to be on a heading",
      });
    }),
  );
});

describe("forced colours", () => {
  test(
    "the legend of the chart keeps the marks of its bars",
    journey(async () => {
      const { page } = await anOwner();
      await page.emulateMedia({ forcedColors: "active" });
      await page.goto("/dashboard/overview?period=30d");
      await page.locator(".legend li").first().waitFor();
      const marks = await page.evaluate<string[]>(
        `[...document.querySelectorAll(".legend li")].map((each) => getComputedStyle(each, "::before").backgroundColor)`,
      );
      expect(new Set(marks).size).toBe(marks.length);
      const badge = await page.evaluate<string>(
        `getComputedStyle(document.querySelector(".badge[class*=tone-]"), "::before").forcedColorAdjust`,
      );
      expect(badge).toBe("none");
    }),
  );
});
