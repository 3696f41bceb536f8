/** The dashboard and the documentation in a real browser, on one whole system in this process. */
import { afterAll, beforeAll } from "@jest/globals";
import { closeBrowser, theBrowser } from "../support/browser/browser.ts";
import { browserPlatform, scanWatch } from "../support/browser/stage.ts";
import "./parts/serving.ts";
import "./parts/sign-in.ts";
import "./parts/first-sign-in.ts";
import "./parts/sessions.ts";
import "./parts/partner.ts";
import "./parts/analyst.ts";
import "./parts/robustness.ts";
import "./parts/every-page.ts";
import "./parts/documentation.ts";
import "./parts/queries.ts";

beforeAll(async () => void (await Promise.all([theBrowser(), scanWatch()])), 600_000);

afterAll(async () => {
  await closeBrowser();
  await (await scanWatch()).close();
  await (await browserPlatform()).stop();
});
