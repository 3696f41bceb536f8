/** Pages of the dashboard in a real browser: each is opened anew, and timed until it shows what was asked for. */
import { buildDashboard } from "../../../deploy/build/dashboard.ts";
import { closeBrowser, giveSession, openWindow } from "../../support/browser/browser.ts";
import type { BenchEnv } from "./env.ts";
import type { Place, SignIn } from "./partner.ts";
import type { Goal, Workload } from "./spec.ts";

/** All views of a list together may take 1.3 times as long. */
export const LIST_PAGE_GOAL: Goal = { measure: "rate", atLeast: 1 / 1.3 };

export const ROWS = "tbody tr, .empty";
export const COUNTS = ".chips .soft";

/** `shown`: selectors, of which each must have found something. */
export const inBrowser =
  <P extends Place>(signIn: SignIn, shown: readonly string[], pathsOf: (place: P) => string[]) =>
  async (env: BenchEnv, place: P): Promise<Workload["run"]> => {
    const paths = pathsOf(place);
    await buildDashboard();
    const { page, problems } = await openWindow(place.url);
    env.onClose(closeBrowser);
    await giveSession(page, place.url, await signIn(place));
    await page.addInitScript({ content: noteWhen(shown) });
    const open = async (path: string): Promise<number> => {
      await page.goto(`/dashboard/${path}`, { waitUntil: "commit" });
      const ms = await page.locator("html[data-shown-ms]").getAttribute("data-shown-ms");
      if (problems.length > 0) throw new Error(`${path}: ${problems.join("; ")}`);
      return Number(ms);
    };
    return async ({ durationMs }) => {
      const latenciesMs: number[] = [];
      let elapsedMs = 0;
      // Only whole turns are alike.
      while (elapsedMs < durationMs)
        for (const path of paths) {
          const ms = await open(path);
          latenciesMs.push(ms);
          elapsedMs += ms;
        }
      return { count: latenciesMs.length, elapsedMs, latenciesMs };
    };
  };

/** By the clock of the page, which starts when it is asked for; the steps of the test are not part of it. */
const noteWhen = (shown: readonly string[]): string => `new MutationObserver((_changes, observer) => {
  if (!${JSON.stringify(shown)}.every((each) => document.querySelector(each))) return;
  observer.disconnect();
  document.documentElement.dataset.shownMs = performance.now();
}).observe(document, { childList: true, subtree: true })`;
