/** The dashboard and the documentation in a real browser, on one platform of real processes. */
import { afterAll } from "@jest/globals";
import { theBrowser } from "../support/browser/browser.ts";
import { browserPlatform } from "../support/browser/stage.ts";
import "./parts/serving.ts";
import "./parts/sign-in.ts";
import "./parts/partner.ts";
import "./parts/analyst.ts";
import "./parts/every-page.ts";
import "./parts/documentation.ts";

afterAll(async () => {
  await (await theBrowser()).close();
  await (await browserPlatform()).stop();
}, 60_000);
