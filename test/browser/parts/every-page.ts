/** Every page in both themes and three widths: accessible, every control has a name, no unknown value costs content, nothing beside the window, no policy broken. */
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import {
  accessibilityProblems,
  namelessControls,
  type Person,
  type RuleSet,
  sidewaysOverflow,
  type Theme,
  untilLoaded,
} from "../../support/browser/browser.ts";
import { ANALYST_PAGES, openPage, PARTNER_PAGES } from "../../support/browser/pages.ts";
import { people } from "../../support/browser/people.ts";
import { browserPlatform, ownerOf, signedIn, signedInAnalyst } from "../../support/browser/stage.ts";
import { textForPrograms } from "../../support/browser/standing-checks.ts";
import { answerUnknownValues } from "../../support/browser/unknown-values.ts";
import { isNightly } from "../../support/repetitions.ts";

const { keep, journey } = people();

type Look = { width: number; theme: Theme; rules: RuleSet | null };
/** What neither width nor theme can change is asked once. */
const ALL_LOOKS: readonly Look[] = [
  { width: 1440, theme: "light", rules: "all" },
  { width: 1440, theme: "dark", rules: "colours" },
  { width: 768, theme: "dark", rules: "sizes and colours" },
  { width: 768, theme: "light", rules: "sizes" },
  { width: 320, theme: "light", rules: "sizes and colours" },
  { width: 320, theme: "dark", rules: "sizes and colours" },
];
/** The short form asks everything of a page once: of every other page in the narrow dark window. */
const looksAt = (turn: number): readonly Look[] =>
  isNightly
    ? ALL_LOOKS
    : [
        { width: 1440, theme: "light", rules: turn % 2 ? null : "all" },
        { width: 768, theme: "light", rules: null },
        { width: 320, theme: "dark", rules: turn % 2 ? "all" : null },
      ];
/** The short form looks at the first rows of a list: one component makes all rows. */
const LEAVE_A_FEW_ROWS = `const few = new CSSStyleSheet();
  few.replaceSync("tbody tr:nth-child(n + 7) { display: none }");
  document.adoptedStyleSheets.push(few)`;

/** Each is looked at several times. */
const PATIENT_MS = 900_000;

describe("every page", () => {
  const partner = async () =>
    look(keep(await signedIn(ownerOf((await browserPlatform()).demo))), PARTNER_PAGES);
  const analyst = async () => look(keep(await signedInAnalyst()), ANALYST_PAGES);
  test("of a partner", journey(partner), PATIENT_MS);
  test("of an analyst", journey(analyst), PATIENT_MS);
});

/** The log of requests. */
const SHOWS_ROUTES = /^requests/;

const linesForPrograms = async (page: Page): Promise<string[]> =>
  (await page.locator("body").innerText()).split("\n").filter((line) => textForPrograms.test(line));

/** Wide enough for a list and its detail. */
const WIDE = { width: 1440, height: 900 };

/** The data of a page, in short. */
const contentOf = async (page: Page): Promise<string> =>
  `“${await page.locator("h1").innerText()}” with ${await page.locator("tbody tr").count()} rows`;

/** The same page again, with a value that it does not know in every enumerated field of every answer. */
async function lostToUnknownValues(page: Page, before: string): Promise<string | null> {
  const isChanged = await answerUnknownValues(page);
  await page.setViewportSize(WIDE);
  await page.reload();
  await untilLoaded(page);
  const after = await contentOf(page);
  const coloured = await page
    .locator(".badge[class*=tone-]")
    .filter({ hasText: /something ?new/i })
    .count();
  await page.unrouteAll({ behavior: "wait" });
  if (coloured > 0) return `${coloured} unknown values are coloured`;
  return after === before || !isChanged() ? null : `${before} became ${after}`;
}

async function look({ page }: Person, paths: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const [turn, path] of paths.entries()) {
    await openPage(page, path);
    const before = await contentOf(page);
    found.push(...(await namelessControls(page)).map((each) => `${path}: ${each}`));
    if (!SHOWS_ROUTES.test(path))
      found.push(...(await linesForPrograms(page)).map((each) => `${path}: ${each}`));
    if (!isNightly) await page.evaluate(LEAVE_A_FEW_ROWS);
    for (const { width, theme, rules } of looksAt(turn)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      const wide = await sidewaysOverflow(page);
      const problems = rules ? await accessibilityProblems(page, rules) : [];
      if (wide > 0) problems.push(`${wide} px beside the window`);
      found.push(...problems.map((each) => `${path} at ${width}, ${theme}: ${each}`));
    }
    const lost = await lostToUnknownValues(page, before);
    if (lost) found.push(`${path}, with unknown values: ${lost}`);
  }
  expect(found).toEqual([]);
}
