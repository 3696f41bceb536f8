/** Slow servers, errors of our own, long lists, and where the focus is. */
import { describe, expect, test } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { people } from "../../support/browser/people.ts";
import { browserPlatform, newOwner, ownerOf, signedIn } from "../../support/browser/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const { keep, journey } = people();
const WEBHOOKS = "**/api/customer/v1/partner-profile/webhooks";
const CUSTOMERS = "**/api/customer/v1/partner-profile/customers?*";

const anOwner = async (path: string | null) =>
  keep(await signedIn(ownerOf((await browserPlatform()).demo), path));
const scrollTop = (page: Page) => page.evaluate<number>("Math.round(scrollY)");
const untilAt = (page: Page, place: number, what: string) =>
  waitFor(async () => Math.abs((await scrollTop(page)) - place) < 2, { what });

describe("answers slower than the polling interval", () => {
  test(
    "a live page asks again only after the answer before, and shows it",
    journey(async () => {
      const { page } = keep(await signedIn(ownerOf(await newOwner()), null));
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

describe("a read that the service puts off with 503", () => {
  test(
    "is sent once more after the time the answer says; a second 503 is shown",
    journey(async () => {
      const { page, problems } = await anOwner(null);
      let asked = 0;
      const busy = { code: "Service.Unavailable", description: "Busy.", requestId: "r", details: [] };
      const putOff = (route: Route) =>
        route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { value: null, error: busy } });
      await page.route(CUSTOMERS, (route) => {
        asked += 1;
        return asked === 1 ? putOff(route) : route.continue();
      });
      await page.goto("/dashboard/customers");
      await page.locator("a.row-link").first().waitFor();
      expect(asked).toBe(2);
      await page.unrouteAll({ behavior: "wait" });
      await page.route(CUSTOMERS, putOff);
      await page.reload();
      await page.getByText("Busy.").waitFor();
      // The third of this window: more than a busy machine explains.
      expect(problems.splice(0)).toEqual([expect.stringContaining("status of 503")]);
      await page.unrouteAll({ behavior: "wait" });
    }),
  );
});

describe("an error of the dashboard itself", () => {
  test(
    "ends one page with a message, and the menu leads on",
    journey(async () => {
      const { page, problems } = await anOwner(null);
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
      const { page } = await anOwner("/deliveries");
      await page.setViewportSize({ width: 1000, height: 500 });
      const next = page.getByRole("link", { name: "Next page" });
      await next.scrollIntoViewIfNeeded();
      const place = await scrollTop(page);
      expect(place).toBeGreaterThan(300);
      await next.click();
      await page.getByRole("link", { name: "First page" }).waitFor();
      expect(await page.evaluate<boolean>('document.activeElement.classList.contains("list")')).toBe(true);
      await waitFor(async () => (await scrollTop(page)) < place, { what: "the top of the list" });
      await page.goBack();
      await untilAt(page, place, "the place before");
      // From a page of its own as well.
      await page.goto("/dashboard/customers");
      const row = page.locator("a.row-link").last();
      await row.scrollIntoViewIfNeeded();
      const far = await scrollTop(page);
      await row.click();
      await page
        .getByRole("link", { name: /Customers/ })
        .last()
        .waitFor();
      await page.goBack();
      await untilAt(page, far, "the row before");
    }),
  );
});

describe("the focus", () => {
  test(
    "returns to the control that opened a dialog, and stays in its part of the page when that control is gone",
    journey(async () => {
      const { page } = await anOwner("/webhook");
      const opener = page.getByRole("button", { name: "Rotate secret…" });
      await opener.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      // The veil covers the place of the scroll bar, too.
      const { overflow, backgroundColor } = await page.evaluate<Record<string, string>>(
        "(({ overflow, backgroundColor }) => ({ overflow, backgroundColor }))(getComputedStyle(document.documentElement))",
      );
      expect(overflow).toBe("hidden");
      expect(backgroundColor).not.toBe("rgba(0, 0, 0, 0)");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await opener.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
      await opener.evaluate((button) => button.remove());
      await waitFor(() => page.evaluate<boolean>("/^H[123]$/.test(document.activeElement.tagName)"), {
        what: "the focus to be on a heading",
      });
    }),
  );
});

describe("the chart of deliveries", () => {
  test(
    "has a bar for each hour of a day and each day of a week or month; its legend keeps its marks with forced colours",
    journey(async () => {
      const { page } = await anOwner("/overview");
      for (const [period, bars] of [
        ["24 hours", 24],
        ["7 days", 7],
        ["30 days", 30],
      ] as const) {
        await page.getByRole("link", { name: period, exact: true }).click();
        await waitFor(async () => (await page.locator("figure g").count()) === bars, {
          what: `${bars} bars`,
        });
      }
      await page.emulateMedia({ forcedColors: "active" });
      const marks = await page.evaluate<string[]>(
        `[...document.querySelectorAll(".legend li")].map((each) => getComputedStyle(each, "::before").backgroundColor)`,
      );
      expect(new Set(marks).size).toBe(3);
      const badge = await page.evaluate<string>(
        `getComputedStyle(document.querySelector(".badge[class*=tone-]"), "::before").forcedColorAdjust`,
      );
      expect(badge).toBe("none");
    }),
  );
});
