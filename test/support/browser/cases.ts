/** Cases of a partner, as the browser tests make and review them. */
import type { Page } from "playwright-core";
import { lazily } from "../../../shared/lazily.ts";
import { aProfile } from "../builders/profile-builders.ts";
import { partnerClient } from "../clients/partner-client.ts";
import type { Hand } from "./hands.ts";
import { newOwner } from "./stage.ts";

export const thePartner = lazily(async () => partnerClient(await newOwner()));

export const createCase = async (changes: Record<string, unknown>): Promise<string> =>
  String((await (await thePartner()).create(aProfile(changes))).customerId);

export async function claimCase(page: Page, customerId: string, handOf: (page: Page) => Hand): Promise<Hand> {
  const hand = handOf(page);
  await page.goto(`/dashboard/cases/${customerId}`);
  await hand.press("Claim");
  await page.getByRole("button", { name: "Release" }).waitFor();
  return hand;
}

export async function flag(page: Page, hand: Hand, what: string, message: string): Promise<void> {
  await hand.press(`Flag ${what}`);
  await hand.write("Instruction for the partner", message);
  await hand.press("Flag");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}
