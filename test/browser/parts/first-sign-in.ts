/** The first minutes under production's rules: second factor, invitation, a partner that is not approved yet. */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { accessibilityProblems, namelessControls, openWindow } from "../../support/browser/browser.ts";
import { bothHands, type Hand, mouse, testByHand } from "../../support/browser/hands.ts";
import { people } from "../../support/browser/people.ts";
import {
  browserPlatform,
  newOwner,
  ownerOf,
  signedIn,
  signedInAnalyst,
  signInHere,
} from "../../support/browser/stage.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { dashboardClient, PARTNER_PROFILE } from "../../support/clients/dashboard-client.ts";
import { partnerClient } from "../../support/clients/partner-client.ts";
import { authenticatorCode } from "../../support/clients/second-factor.ts";

const { keep, journey } = people();

const aWindow = async () => keep(await openWindow((await browserPlatform()).baseUrl)).page;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** From the code on the screen to the stored recovery codes. */
async function setUpFactor(page: Page, hand: Hand): Promise<string> {
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const key = (await page.locator(".copyable code").textContent()) ?? "";
  expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  const link = page.getByRole("link", { name: "open your authenticator app" });
  expect(await link.getAttribute("href")).toContain(`secret=${key.replaceAll(" ", "")}`);
  await expectAccessible(page);
  // My account has another one, for the change of the password.
  const fields = page.getByLabel("Code", { exact: true });
  if ((await fields.count()) === 1) await hand.write("Code", authenticatorCode(key));
  else await fields.last().fill(authenticatorCode(key));
  await hand.press("Confirm");
  await page.getByRole("heading", { name: "Save your recovery codes" }).waitFor();
  expect(((await page.locator("pre").textContent()) ?? "").split("\n")).toHaveLength(10);
  const file = page.getByRole("link", { name: "Download" });
  expect(await file.getAttribute("download")).toBe("recovery-codes.txt");
  await expectAccessible(page);
  await hand.press("I saved the codes");
  return key;
}

const NEXT_STEP_MS = 30_000;

const expectAccessible = async (page: Page): Promise<void> =>
  expect([...(await accessibilityProblems(page)), ...(await namelessControls(page))]).toEqual([]);

describe("a person whose role needs a second factor", () => {
  test.each(bothHands)(
    "a new analyst gets from the first sign-in to a decided case, $by",
    journey(async ({ handOf }) => {
      const { rawAnalyst } = await browserPlatform();
      const partner = await partnerClient(await newOwner());
      const { customerId } = await partner.create(aProfile({ companyName: "First Case Ltd" }));
      const page = await aWindow();
      const hand = handOf(page);
      const { email, password } = await rawAnalyst();
      await page.goto(`/dashboard/cases/${customerId}`);
      await page.getByLabel("Email").waitFor();
      await expectAccessible(page);
      await hand.write("Email", email);
      await hand.write("Password", password);
      await hand.press("Sign in");
      await heading(page, "Set up your second factor").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await setUpFactor(page, hand);
      // The page that was asked for.
      await heading(page, "First Case Ltd").waitFor();
      await hand.press("Claim");
      await hand.press("Approve…");
      await hand.write("Note", "All there.");
      await hand.press("Approve");
      await page.getByText("Approved", { exact: true }).first().waitFor();
    }),
  );

  test(
    "the sign-in asks for the code in a second step, has the focus there, and sends a code that is pasted",
    journey(async () => {
      const { newAnalyst } = await browserPlatform();
      const page = await aWindow();
      await page.goto("/dashboard");
      const { email, password, nextCode } = await newAnalyst();
      await signInHere(page, { email, password });
      const code = page.getByLabel("Code", { exact: true });
      await code.waitFor();
      expect(await page.getByLabel("Password").count()).toBe(0);
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(await code.evaluate((field) => field.ownerDocument.activeElement === field)).toBe(true);
      const pasted = nextCode().replace(/^.../, "$& ");
      await page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", "${pasted}");
        document.activeElement.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }`);
      await heading(page, "Queue").waitFor();
    }),
  );

  test(
    "in My account: a change of the password and another factor ask for a code of the factor in force",
    journey(async () => {
      const { page, login } = keep(await signedInAnalyst("/account"));
      const hand = mouse(page);
      await page.getByText("10 recovery codes left").waitFor();
      // The role needs one.
      expect(await page.getByRole("button", { name: "Remove…" }).count()).toBe(0);
      await hand.write("Current password", login.password);
      await hand.write("New password", randomBytes(12).toString("base64url"));
      await hand.write("Code", login.nextCode());
      await hand.press("Change password");
      await page.getByText("The password is changed.").waitFor();
      await hand.press("Replace…");
      await hand.write("Code", "000000");
      await hand.press("Continue");
      await page.getByText("The code is wrong, or was used before.").waitFor();
      await hand.press("Try again");
      await hand.press("Replace…");
      await hand.write("Code", login.nextCode());
      await hand.press("Continue");
      await setUpFactor(page, hand);
      await page.getByText("10 recovery codes left").waitFor();
    }),
  );

  test(
    "in My account: an Owner sets one up, and removes it with a code",
    journey(async () => {
      const { page } = keep(await signedIn(ownerOf(await newOwner()), "/account"));
      const hand = mouse(page);
      await hand.press("Set up");
      const key = await setUpFactor(page, hand);
      await page.getByText("10 recovery codes left").waitFor();
      await hand.press("Remove…");
      await hand.write("Code", authenticatorCode(key, Date.now() + NEXT_STEP_MS));
      await hand.press("Remove");
      await page.getByText("Recommended.").waitFor();
    }),
  );
});

describe("an invited Owner", () => {
  testByHand("by keyboard alone")(
    "gets from the link to the overview, $by",
    journey(async ({ handOf }) => {
      const { baseUrl } = await browserPlatform();
      const owner = await dashboardClient(baseUrl, ownerOf(await newOwner()));
      const email = `owner.${randomBytes(4).toString("hex")}@new.example`;
      const { body } = await owner.post<{ link: string }>(`${PARTNER_PROFILE}/team/invitations`, {
        email,
        role: "Owner",
      });
      const page = await aWindow();
      const hand = handOf(page);
      await page.goto(body.value?.link ?? "");
      const password = `${randomBytes(12).toString("base64url")} `;
      await hand.write("New password", password);
      await hand.press("Set password");
      await hand.write("Password", password);
      await hand.press("Sign in");
      await heading(page, "Overview").waitFor();
      expect(new URL(page.url()).pathname).toBe("/dashboard/overview");
      // The password was sent as it was typed, with the space at its end.
      await dashboardClient(baseUrl, { email, password });
    }),
  );
});

describe("an Owner of a partner that is not approved", () => {
  test(
    "sees one calm page until the operator has approved it",
    journey(async () => {
      const { login, approve } = await (await browserPlatform()).ownerOfUnapproved();
      const { page } = keep(await signedIn(login));
      await heading(page, "Your application is under review").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Webhook", exact: true }).click();
      await heading(page, "Your application is under review").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.getByRole("link", { name: "Protect your account" }).click();
      await heading(page, "My account").waitFor();
      await page.getByRole("link", { name: "Overview", exact: true }).click();
      await approve();
      await page.getByRole("button", { name: "Check again" }).click();
      await heading(page, "Overview").waitFor();
    }),
  );
});
