/** People at the dashboard: first sign-ins, sessions that end, and a page that goes wrong. Next to dashboard.test.ts. */
import { afterAll, beforeAll } from "@jest/globals";
import { closeBrowser, theBrowser } from "../support/browser/browser.ts";
import { browserPlatform } from "../support/browser/stage.ts";
import "./parts/first-sign-in.ts";
import "./parts/sessions.ts";
import "./parts/robustness.ts";

beforeAll(async () => void (await Promise.all([theBrowser(), browserPlatform()])), 600_000);

afterAll(async () => {
  await closeBrowser();
  await (await browserPlatform()).stop();
});
