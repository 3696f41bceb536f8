/** How a person uses a page: by mouse, or by keyboard alone. Journeys are written once and done by both. */
import { test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { nightlyTest } from "../skipped.ts";
import { waitFor } from "../wait-for.ts";

export type Hand = {
  press(name: string): Promise<void>;
  /** As a person who double-clicks, or holds the key too long. */
  pressTwice(name: string): Promise<void>;
  write(label: string, text: string): Promise<void>;
};

/** While a dialog is open nothing else can be reached. */
async function placeOf(page: Page): Promise<Page | Locator> {
  const dialog = page.getByRole("dialog").last();
  return (await dialog.isVisible()) ? dialog : page;
}

const named = (place: Page | Locator, name: string): Locator =>
  place
    .getByRole("button", { name, exact: true })
    .or(place.getByRole("link", { name, exact: true }))
    .or(place.locator("summary", { hasText: name }));

async function pressable(page: Page, name: string): Promise<Locator> {
  await named(page, name).last().waitFor();
  return named(await placeOf(page), name).first();
}

async function field(page: Page, label: string): Promise<Locator> {
  await page.getByLabel(label, { exact: true }).last().waitFor();
  return (await placeOf(page)).getByLabel(label, { exact: true }).first();
}

export const mouse = (page: Page): Hand => ({
  press: async (name) => (await pressable(page, name)).click(),
  pressTwice: async (name) => (await pressable(page, name)).dblclick(),
  write: async (label, text) => (await field(page, label)).fill(text),
});

/** A page has fewer stops. */
const MOST_STOPS = 250;

/** As much of an element of the page as is asked for here: the compiler of the tests knows no document. */
type Element = {
  isConnected: boolean;
  ownerDocument: { activeElement: unknown };
  compareDocumentPosition(other: unknown): number;
};
type Way = "here" | "gone" | "Tab" | "Shift+Tab";

/** Runs in the page. Like a person, it goes back to what lies behind. */
function wayTo(wanted: Element): Way {
  const FOLLOWS = 4;
  const { activeElement } = wanted.ownerDocument;
  if (!wanted.isConnected) return "gone";
  if (activeElement === wanted) return "here";
  return wanted.compareDocumentPosition(activeElement) & FOLLOWS ? "Shift+Tab" : "Tab";
}

const keyboard = (page: Page): Hand => {
  async function tabTo(wanted: Locator): Promise<void> {
    let element = await wanted.elementHandle();
    for (let presses = 0; presses < MOST_STOPS; presses += 1) {
      const way = (await element?.evaluate(wayTo)) ?? "gone";
      if (way === "here") return;
      // Looking for it costs more than all presses: once, unless the page was drawn anew.
      if (way === "gone") element = await wanted.elementHandle();
      else await page.keyboard.press(way);
    }
    throw new Error(`${wanted} cannot be reached by Tab.`);
  }
  async function goTo(name: string): Promise<void> {
    const wanted = await pressable(page, name);
    await tabTo(wanted);
    // A mouse waits for that by itself.
    await waitFor(() => wanted.isEnabled(), `${name} to be ready`);
  }
  return {
    async press(name) {
      await goTo(name);
      await page.keyboard.press("Enter");
    },
    async pressTwice(name) {
      await goTo(name);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
    },
    async write(label, text) {
      await tabTo(await field(page, label));
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    },
  };
};

const HANDS = [
  { by: "by mouse", handOf: mouse },
  { by: "by keyboard alone", handOf: keyboard },
] as const;

export const bothHands = HANDS;

type Hands = (typeof HANDS)[number];

/** In npm test by the named hand, in the nightly run by both. */
export const testByHand =
  (daily: Hands["by"]) =>
  (title: string, run: (hands: Hands) => Promise<void>): void => {
    test.each(HANDS.filter(({ by }) => by === daily))(title, run);
    nightlyTest.each(HANDS.filter(({ by }) => by !== daily))(title, run);
  };
