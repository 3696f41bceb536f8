/** What analysts do: claim, read hostile texts as texts, flag, ask for changes, decide; and a session that ends meanwhile. */
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { HANDS, type Hand } from "../../support/browser/hands.ts";
import { people } from "../../support/browser/people.ts";
import { analystOf, browserPlatform, signedIn, signInHere } from "../../support/browser/stage.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { partnerClient, put } from "../../support/clients/partner-client.ts";
import { once } from "../../support/once.ts";

const keep = people();
const thePartner = once(async () => partnerClient(await newAccounts(await browserPlatform())));

const create = async (changes: Record<string, unknown>): Promise<string> => {
  const partner = await thePartner();
  return String((await partner.create(aProfile(changes))).customerId);
};

const openCase = async (customerId: string): Promise<Page> => {
  const { demo } = await browserPlatform();
  const { page } = keep(await signedIn(analystOf(demo)));
  await page.goto(`/dashboard/cases/${customerId}`);
  await page.getByRole("button", { name: "Claim", exact: true }).click();
  await page.getByRole("button", { name: "Release" }).waitFor();
  return page;
};

async function flag(page: Page, hand: Hand, what: string, message: string): Promise<void> {
  await hand.press(`Flag ${what}`);
  await hand.write("What the partner should do", message);
  await hand.press("Flag");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

const [[, mouse]] = HANDS;

describe.each(HANDS)("an analyst, %s", (_name, handOf) => {
  test("flags three things, asks for changes, and approves what the partner answered", async () => {
    const customerId = await create({ companyName: "Flagged Foods Ltd" });
    const page = await openCase(customerId);
    const hand = handOf(page);
    await flag(page, hand, "Website", "Give the website that your customers use.");
    await flag(page, hand, "Description", "Say what is sold.");
    await flag(page, hand, "Email", "An address of the company, please.");
    await hand.press("Request 3 changes…");
    await hand.press("Send the request");
    await page.getByText("Awaiting partner", { exact: true }).waitFor();
    const { status } = await (await thePartner()).patch(customerId, {
      website: "https://new.example",
      description: "Frozen food.",
      email: "office@new.example",
    });
    expect(status).toBe(200);
    await page.reload();
    await hand.press("Claim");
    await hand.press("Approve…");
    await hand.write("Note", "All answered.");
    await hand.press("Approve");
    await page.getByText("Approved", { exact: true }).first().waitFor();
  });

  test("who decides on a version that moved sees what changed, and decides on the new one", async () => {
    const customerId = await create({ companyName: "Moving Motors" });
    const partner = await thePartner();
    const link = await partner.link(customerId);
    const page = await openCase(customerId);
    const hand = handOf(page);
    await hand.press("Approve…");
    await hand.write("Note", "Looks right.");
    await put(link);
    await partner.shown(customerId, link.documentId, "Confirmed");
    await hand.press("Approve");
    const change = page.getByRole("row", { name: /Documents › Bank statement › Status.*Confirmed/ });
    await change.waitFor();
    await page.getByRole("button", { name: /^Go on with version/ }).waitFor();
    await hand.press((await page.getByRole("button", { name: /^Go on with version/ }).textContent()) ?? "");
    await change.waitFor({ state: "hidden" });
    expect(await page.getByLabel("Note").inputValue()).toBe("Looks right.");
    await hand.press("Approve");
    await page.getByText("Approved", { exact: true }).first().waitFor();
  });
});

describe("an analyst", () => {
  test("sees hostile texts as texts", async () => {
    const name = '<img src=x onerror="alert(1)">\u202Egnp.exe';
    const customerId = await create({
      companyName: name,
      description: `${"x".repeat(900)} <script>alert(2)</script>`,
    });
    const page = await openCase(customerId);
    // Marks that turn the direction of text are not stored.
    expect(await page.locator("h1").textContent()).toBe(name.replace("\u202E", "\uFFFD"));
    expect(await page.locator("img, main script").count()).toBe(0);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(
      await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"),
    ).toBeLessThanOrEqual(0);
  });

  test("whose session ends in the middle of a draft signs in again over it, and the draft goes on", async () => {
    const { demo } = await browserPlatform();
    const customerId = await create({ companyName: "Draft Ltd" });
    const page = await openCase(customerId);
    await flag(page, mouse(page), "Website", "It cannot be reached.");
    await page.evaluate<number>(
      "fetch('/api/customer/v1/session', { method: 'DELETE' }).then((answer) => answer.status)",
    );
    await page.getByRole("button", { name: "Request 1 change…" }).click();
    await page.getByRole("button", { name: "Send the request" }).click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.waitFor();
    await signInHere(again, analystOf(demo));
    await again.waitFor({ state: "hidden" });
    await page.getByText("Awaiting partner", { exact: true }).waitFor();
  });
});
