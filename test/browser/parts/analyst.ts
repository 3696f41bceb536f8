/** Journeys of an analyst: claim a case, read hostile texts as texts, flag, ask for changes, decide. */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { samplePicture } from "../../../deploy/demo/sample-picture.ts";
import { claimCase, createCase, flag, thePartner } from "../../support/browser/cases.ts";
import { mouse, testByHand } from "../../support/browser/hands.ts";
import { people } from "../../support/browser/people.ts";
import { analystClient, signedInAnalyst } from "../../support/browser/stage.ts";
import {
  aNationalId,
  anAddress,
  aPassport,
  aPerson,
  aProfile,
} from "../../support/builders/profile-builders.ts";
import { A_STATEMENT, PDF, put } from "../../support/clients/partner-client.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const { keep, journey } = people();

/** An identity number of South Africa. */
const WRONG_CHECK_DIGIT = "8001015009088";
const NUMBER = "A01234567";

const claimed = async (customerId: string, handOf: typeof mouse) => {
  const { page } = keep(await signedInAnalyst(null));
  return { page, hand: await claimCase(page, customerId, handOf) };
};

describe("an analyst", () => {
  testByHand("by mouse")(
    "flags a field and two identities, reloads, asks for changes, and approves the answer; decisions list what is open, $by",
    journey(async ({ handOf }) => {
      const inZaf = { issuingCountry: "ZAF" };
      const customerId = await createCase({
        companyName: "Two Papers Ltd",
        businessPersonList: [
          aPerson({
            address: anAddress({ countryCode: "ZAF" }),
            identities: [aPassport(inZaf), aNationalId({ ...inZaf, identityValue: WRONG_CHECK_DIGIT })],
          }),
        ],
      });
      const { page, hand } = await claimed(customerId, handOf);
      const line = page.locator(".fact-line", { hasText: "9088" });
      await line.getByText("the check digit does not fit the number").waitFor();
      await flag(page, hand, "Website", "Give the website that your customers use.");
      await flag(page, hand, "Passport (ZAF), Amina Okafor", "Which one is it?");
      await flag(page, hand, "National ID (ZAF), Amina Okafor", "Send the card.");
      await page.reload();
      await page.getByText("Which one is it?").first().waitFor();
      expect(await page.getByRole("button", { name: /^Remove the flag on/ }).count()).toBe(3);
      expect(await page.evaluate<string>("JSON.stringify(sessionStorage)")).not.toMatch(/Okafor|A01234567/);
      await hand.press("Reject…");
      await page.getByRole("dialog").getByText("A rejection is final.").waitFor();
      await hand.press("Cancel");
      await hand.press("Approve…");
      await page.getByRole("dialog").getByText("No documents uploaded.").waitFor();
      await hand.press("Cancel");
      await hand.press("Request 3 changes…");
      await hand.press("Send the request");
      await page.getByText("Awaiting partner", { exact: true }).waitFor();
      expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
      await page.getByText("National ID (ZAF), Amina Okafor: Send the card.").waitFor();

      const partner = await thePartner();
      const path = `${PROFILES}/${customerId}`;
      const { changeRequests } = await partner.value("GET", `${path}/verification-status`);
      expect(changeRequests).toMatchObject([
        { target: { field: "website" } },
        { target: { identityTypeCode: "PASSPORT", ...inZaf } },
        { target: { identityTypeCode: "NATIOANL_ID", ...inZaf } },
      ]);
      await partner.value("PATCH", path, { website: "https://new.example" });
      const { businessPersonList } = await partner.profile(customerId);
      await partner.value("PATCH", `${path}/persons/${businessPersonList[0].uboId}`, {
        identities: [aPassport({ ...inZaf, identityValue: "A23456789" })],
      });
      await page.reload();
      await hand.press("Claim");
      await hand.press("Approve…");
      await hand.write("Note", "All answered.");
      await hand.press("Approve");
      await page.getByText("Approved", { exact: true }).first().waitFor();
    }),
  );

  testByHand("by mouse")(
    "who decides on a version that moved sees what changed, and decides on the new one, $by",
    journey(async ({ handOf }) => {
      const customerId = await createCase({ companyName: "Moving Motors" });
      const partner = await thePartner();
      const link = await partner.link(customerId);
      const { page, hand } = await claimed(customerId, handOf);
      const number = page.getByText(NUMBER);
      await hand.press("Reveal the number");
      await number.waitFor();
      await hand.press("Approve…");
      await hand.write("Note", "Looks right.");
      await put(link);
      await partner.shown(customerId, link.documentId, "Confirmed");
      await hand.press("Approve");
      const change = page.getByRole("row", { name: /Documents › Bank statement › Status.*Confirmed/ });
      await change.waitFor();
      await page.getByRole("button", { name: /^Continue with version/ }).waitFor();
      const decisions: string[] = [];
      page.on(
        "request",
        (request) => void (request.url().endsWith("/approve") && decisions.push(request.url())),
      );
      const newVersion = Promise.withResolvers<void>();
      await page.route(`**/api/compliance/v1/cases/${customerId}`, async (route) => {
        await newVersion.promise;
        await route.continue();
      });
      await hand.press(
        (await page.getByRole("button", { name: /^Continue with version/ }).textContent()) ?? "",
      );
      const approve = page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true });
      await waitFor(() => approve.isDisabled(), { what: "nothing to be decided before it is there" });
      await approve.click({ force: true });
      newVersion.resolve();
      await change.waitFor({ state: "hidden" });
      expect(await number.count()).toBe(0);
      expect(await page.getByLabel("Note", { exact: true }).inputValue()).toBe("Looks right.");
      await hand.press("Approve");
      await page.getByText("Approved", { exact: true }).first().waitFor();
      expect(decisions).toHaveLength(1);
    }),
  );
});

describe("a claim", () => {
  test("that a colleague made first: refused, and the case shows who has it until when", async () => {
    const customerId = await createCase({ companyName: "Wanted Ltd" });
    const { page } = keep(await signedInAnalyst(`/cases/${customerId}`));
    await page.getByRole("button", { name: "Claim", exact: true }).waitFor();
    const colleague = await analystClient();
    await colleague.post(`/api/compliance/v1/cases/${customerId}/claim`);
    await mouse(page).press("Claim");
    await page.getByText("Another analyst has claimed this case.").waitFor();
    await page.getByText(`${colleague.email} has claimed this case until`).waitFor();
    expect(await page.getByRole("button", { name: "Claim", exact: true }).count()).toBe(0);

    await colleague.post(`/api/compliance/v1/cases/${customerId}/release`);
    await page.goto(`/dashboard/queue?search=${customerId}`);
    await page.getByRole("button", { name: "Claim Wanted Ltd" }).waitFor();
    await colleague.post(`/api/compliance/v1/cases/${customerId}/claim`);
    await mouse(page).press("Claim Wanted Ltd");
    await page.getByText("Another analyst has claimed this case.").waitFor();
    await page.getByRole("button", { name: "Claim Wanted Ltd" }).waitFor({ state: "hidden" });
    await colleague.post(`/api/compliance/v1/cases/${customerId}/release`);
  });

  test("counts down; a number that was shown is masked after a minute, and when the case is given back", async () => {
    const customerId = await createCase({ companyName: "Countdown Ltd", businessPersonList: [aPerson()] });
    const { page } = keep(await signedInAnalyst(null));
    await page.clock.install();
    const hand = await claimCase(page, customerId, mouse);
    await page.getByText("Claimed by you, ends in 7 hours").waitFor();
    const number = page.getByText(NUMBER);
    await hand.press("Reveal the number");
    await number.waitFor();
    await page.getByRole("button", { name: "Hide the number" }).waitFor();
    await page.clock.fastForward(61_000);
    await number.waitFor({ state: "detached" });
    await hand.press("Reveal the number");
    await number.waitFor();
    await page.clock.fastForward(3_600_000);
    await page.getByText("Claimed by you, ends in 6 hours").waitFor();
    await number.waitFor({ state: "detached" });
    await hand.press("Reveal the number");
    await number.waitFor();
    await hand.press("Release");
    await page.getByRole("button", { name: "Claim", exact: true }).waitFor();
    expect(await number.count()).toBe(0);
  });
});

describe("an analyst who takes the next case", () => {
  testByHand("by mouse")(
    "gives it back, claims another from the list, opens its documents, sees a whole number, leaves a note, and finds the case in another tab, $by",
    journey(async ({ handOf }) => {
      const { partner, customerId } = await aCaseWithDocuments();
      const { page } = keep(await signedInAnalyst());
      const hand = handOf(page);
      await hand.press("Claim next case");
      await hand.press("Release");
      await page.getByRole("button", { name: "Claim", exact: true }).waitFor();
      await hand.press("Queue");
      await hand.write("Search", customerId);
      await hand.press("Search");
      await hand.press("Claim Papers Ltd");
      await page.getByRole("button", { name: "Release" }).waitFor();

      const unread = page.getByRole("dialog").getByText("Not opened by you:");
      await hand.press("Approve…");
      await unread.nth(1).waitFor();
      await hand.press("Cancel");
      await hand.press("Open Identity front, Amina Okafor");
      const picture = page.getByRole("img", { name: "Identity front, Amina Okafor" });
      await waitFor(() => picture.evaluate((image: { naturalWidth?: number }) => image.naturalWidth ?? 0), {
        what: "the picture to be loaded",
      });
      await hand.press("Zoom in");
      await hand.press("Rotate");
      await page.getByText("150 %, 90°").waitFor();
      await hand.press("Next");
      const pdf = page.getByRole("link", { name: "Open in a new tab" });
      expect(await pdf.getAttribute("rel")).toBe("noopener noreferrer");
      expect((await fetch((await pdf.getAttribute("href")) ?? "")).headers.get("content-type")).toBe(
        "application/pdf",
      );
      // One click opens it, also when its link has expired.
      await page.clock.setFixedTime(Date.now() + 120_000);
      const [newLink] = await Promise.all([
        page.waitForRequest(/\/view-link$/),
        page.context().waitForEvent("page"),
        hand.press("Open in a new tab"),
      ]);
      expect(newLink.method()).toBe("POST");
      await hand.press("Approve…");
      await page.getByRole("dialog").getByText("No open items.").waitFor();
      expect(await unread.count()).toBe(0);
      await hand.press("Cancel");

      expect(await page.getByText(NUMBER).count()).toBe(0);
      await hand.press("Reveal the number");
      await page.getByText(NUMBER).waitFor();
      await hand.write("New note", "The passport fits.");
      await hand.press("Add note");
      await page.getByText("The passport fits.", { exact: true }).waitFor();
      expect(JSON.stringify(await partner.profile(customerId))).not.toContain("The passport fits.");

      await hand.press("Queue");
      await hand.write("Search", customerId);
      await hand.press("Search");
      await page.getByText(`No case matches “${customerId}” in Queued`).waitFor();
      await page.getByRole("link", { name: "1 in Mine" }).waitFor();
      await hand.press("Search all cases");
      await hand.press("Papers Ltd");
      await hand.press("Release");
      await page.getByRole("button", { name: "Claim", exact: true }).waitFor();
    }),
  );
});

const aCaseWithDocuments = async () => {
  const partner = await thePartner();
  const { customerId, ubos } = await partner.create(
    aProfile({ companyName: "Papers Ltd", businessPersonList: [aPerson()] }),
  );
  const picture = { documentCategory: "IdentityFront", contentType: "image/png", uboId: ubos[0].uboId };
  for (const [wish, file] of [
    [picture, new Uint8Array(samplePicture(7))],
    [A_STATEMENT, PDF],
  ] as const) {
    const link = await partner.link(customerId, wish);
    await put(link, file);
    await partner.shown(customerId, link.documentId, "Confirmed");
  }
  return { partner, customerId: String(customerId) };
};

describe("an analyst at work", () => {
  testByHand("by mouse")("sees hostile texts as texts, $by", async ({ handOf }) => {
    const name = '<img src=x onerror="alert(1)">\u202Egnp.exe';
    const customerId = await createCase({
      companyName: name,
      partnerCustomerId: randomBytes(32).toString("hex"),
      description: `${"x".repeat(900)} <script>alert(2)</script>`,
    });
    const { page } = await claimed(customerId, handOf);
    // Marks that turn the direction of text are not stored.
    expect(await page.locator("h1").textContent()).toBe(name.replace("\u202E", "\uFFFD"));
    expect(await page.locator("img, main script").count()).toBe(0);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(
      await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"),
    ).toBeLessThanOrEqual(0);
  });
});
