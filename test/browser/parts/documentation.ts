/** The documentation: read without a script, searched with one, accessible, and under its policy. */
import { describe, expect, test } from "@jest/globals";
import {
  accessibilityProblems,
  openWindow,
  type RuleSet,
  sidewaysOverflow,
  type Theme,
} from "../../support/browser/browser.ts";
import { people } from "../../support/browser/people.ts";
import { browserPlatform } from "../../support/browser/stage.ts";
import { repetitions } from "../../support/repetitions.ts";

const { keep } = people();
const PAGES = ["/docs", "/docs/sandbox", "/docs/errors", "/docs/reference"];
const THEMES: readonly { theme: Theme; rules: RuleSet }[] = [
  { theme: "light", rules: "all" },
  { theme: "dark", rules: "colours" },
];
/** The short form looks at a twelfth of the reference: one rule makes all its sections. */
const LEAVE_A_SAMPLE = `for (const each of document.querySelectorAll("section:not(:nth-of-type(12n + 1))")) each.remove()`;
const NARROW = { width: 320, height: 900 };

const open = async (options = {}) => keep(await openWindow((await browserPlatform()).baseUrl, options));

describe("the documentation", () => {
  test("every kind of page: accessible in both themes, nothing beside a narrow window", async () => {
    const { page } = await open({ viewport: NARROW });
    const found: string[] = [];
    for (const path of PAGES) {
      await page.goto(path);
      if (repetitions({ short: 1, nightly: 0 })) await page.evaluate(LEAVE_A_SAMPLE);
      const wide = await sidewaysOverflow(page);
      if (wide > 0) found.push(`${path}: ${wide} px beside the window`);
      for (const { theme, rules } of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        const problems = await accessibilityProblems(page, rules);
        found.push(...problems.map((each) => `${path}, ${theme}: ${each}`));
      }
    }
    expect(found).toEqual([]);
  });

  test("the reference without scripts: every call is there, with its samples", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    await page.goto("/docs/reference#profileSimulate");
    const call = page.locator("#profileSimulate");
    await call.getByText("Samples").click();
    await call.getByText("client.simulate(customer_id").waitFor();
  });

  test("the search: finds what is on another page and leads there", async () => {
    const { page } = await open();
    await page.goto("/docs");
    await page.getByRole("searchbox").fill("names that decide");
    await page.getByRole("link", { name: "Names that decide by themselves" }).click();
    await page.waitForURL("**/docs/sandbox#names-that-decide-by-themselves");
  });

  test("the search: pages that could not be read are read again at the next key", async () => {
    const { page, problems } = await open();
    await page.goto("/docs");
    await page.route("**/docs/sandbox", (route) => route.abort(), { times: 1 });
    const failed = page.waitForEvent("pageerror");
    const search = page.getByRole("searchbox");
    await search.fill("names that decid");
    await failed;
    await search.press("e");
    await page.getByRole("link", { name: "Names that decide by themselves" }).waitFor();
    expect(problems.splice(0)).toContainEqual(expect.stringContaining("page error: Failed to fetch"));
  });
});
