/** The pages of the dashboard, as tests and pictures open them. */
import type { Page } from "playwright-core";
import { untilLoaded } from "./browser.ts";

/** Suffix of a list's path: the page of its first row. */
const FIRST = " > first";

export const PARTNER_PAGES = [
  "overview?period=7d",
  "customers",
  `customers${FIRST}`,
  "webhook",
  "deliveries",
  `deliveries?status=Exhausted${FIRST}`,
  "replay",
  "events",
  "signature-check",
  "credentials",
  "requests",
  "team",
  "audit",
  "account",
];
export const ANALYST_PAGES = ["queue", `queue${FIRST}`, "country-rules", "country-rules/NGA", "account"];

export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/${path.replace(FIRST, "")}`);
  await untilLoaded(page);
  if (!path.endsWith(FIRST)) return;
  await page.locator("a.row-link").first().click();
  await untilLoaded(page);
}
