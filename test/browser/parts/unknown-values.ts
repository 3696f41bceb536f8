/** A gateway of a newer release: no page loses its content for a value that it does not know. */
import { describe, expect, test } from "@jest/globals";
import { type Person, untilLoaded } from "../../support/browser/browser.ts";
import { ANALYST_PAGES, openPage, PARTNER_PAGES } from "../../support/browser/pages.ts";
import { people } from "../../support/browser/people.ts";
import { browserPlatform, ownerOf, signedIn, signedInAnalyst } from "../../support/browser/stage.ts";
import { answerUnknownValues, UNKNOWN } from "../../support/browser/unknown-values.ts";

const { keep, journey } = people();
const PATIENT_MS = 900_000;

/** What a page shows of its data. */
const contentOf = async ({ page }: Person) => ({
  title: await page.locator("h1").innerText(),
  rows: await page.locator("tbody tr").count(),
});

async function compare(person: Person, paths: readonly string[]): Promise<void> {
  const { page } = person;
  const seen: { path: string; title: string; rows: number }[] = [];
  for (const path of paths) {
    await openPage(page, path);
    seen.push({ path: page.url(), ...(await contentOf(person)) });
  }
  const changed = await answerUnknownValues(page);
  let shown = 0;
  for (const { path, ...before } of seen) {
    await page.goto(path);
    await untilLoaded(page);
    expect({ path, ...(await contentOf(person)) }).toEqual({ path, ...before });
    shown += await page.getByText(UNKNOWN).count();
  }
  expect(changed()).toBeGreaterThan(0);
  expect(shown).toBeGreaterThan(0);
  await page.unrouteAll({ behavior: "wait" });
}

describe("one unknown value in every enumerated field of every answer", () => {
  test(
    "every page of a partner keeps its title and its rows",
    journey(async () =>
      compare(keep(await signedIn(ownerOf((await browserPlatform()).demo))), PARTNER_PAGES),
    ),
    PATIENT_MS,
  );
  test(
    "every page of an analyst keeps its title and its rows",
    journey(async () => compare(keep(await signedInAnalyst()), ANALYST_PAGES)),
    PATIENT_MS,
  );
});
