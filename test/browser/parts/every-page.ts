/** Every page in both themes and three widths: accessible, nothing beside the window, no policy broken. */
import { describe, expect, test } from "@jest/globals";
import {
  accessibilityProblems,
  type Person,
  sidewaysOverflow,
  type Theme,
} from "../../support/browser/browser.ts";
import { ANALYST_PAGES, openPage, PARTNER_PAGES } from "../../support/browser/pages.ts";
import { people } from "../../support/browser/people.ts";
import { analystOf, browserPlatform, ownerOf, signedIn } from "../../support/browser/stage.ts";

const keep = people();

const WIDTHS = [320, 768, 1440];
const THEMES: readonly Theme[] = ["light", "dark"];

/** Each is looked at six times. */
const PATIENT_MS = 300_000;

describe("every page", () => {
  const partner = async () =>
    look(keep(await signedIn(ownerOf((await browserPlatform()).demo))), PARTNER_PAGES);
  const analyst = async () =>
    look(keep(await signedIn(analystOf((await browserPlatform()).demo))), ANALYST_PAGES);
  test("of a partner", partner, PATIENT_MS);
  test("of an analyst", analyst, PATIENT_MS);
});

async function look({ page }: Person, paths: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const path of paths) {
    await openPage(page, path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await sidewaysOverflow(page);
      if (wide > 0) found.push(`${path} at ${width}: ${wide} px beside the window`);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        const problems = await accessibilityProblems(page, colorScheme);
        found.push(...problems.map((each) => `${path} at ${width}, ${colorScheme}: ${each}`));
      }
    }
  }
  expect(found).toEqual([]);
}
