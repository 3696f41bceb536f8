/** What a partner's people do: first steps, rotation, a receiver that fails, and looking for something; by mouse and by keyboard. */
import { createPrivateKey, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { openWindow } from "../../support/browser/browser.ts";
import { type Hand, testByHand } from "../../support/browser/hands.ts";
import { people } from "../../support/browser/people.ts";
import { analystClient, browserPlatform, newOwner, ownerOf, signedIn } from "../../support/browser/stage.ts";
import { makeAssertion, tokenForm } from "../../support/builders/assertions.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { partnerClient } from "../../support/clients/partner-client.ts";
import { ask } from "../../support/http/ask.ts";
import { nextPartnerKeys } from "../../support/servers/partner-keys.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { receiverFor } from "../../support/stage/platform.ts";

const { keep, journey } = people();
/** Address of the receiver that `npm run receiver` starts. */
const RECEIVER_URL = "https://localhost:8443/webhooks";
/** The dashboard may be opened under another address than the one that tokens name. */
const PUBLIC_SERVER = {
  issuer: "https://onboarding.example",
  token_endpoint: "https://onboarding.example/oauth2/token",
};
/** Height of a table row whose text fits on one line, without padding. */
const ONE_LINE_PX = 30;
const receivers: Receiver[] = [];
// Also of a test that failed: nothing else ends them.
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

const aNewOwner = async (handOf: (page: Page) => Hand, path: string) => {
  const demo = await newOwner();
  const [receiver, { page }] = await Promise.all([
    receiverFor(await browserPlatform()),
    signedIn(ownerOf(demo), path).then(keep),
  ]);
  receivers.push(receiver);
  return { demo, receiver, page, hand: handOf(page) };
};

/** The secret that the dialog shows; it has to be answered, whatever keys are pressed. */
async function takeSecret(page: Page, hand: Hand): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Your signing secret" });
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  await hand.press("I copied the secret");
  await dialog.waitFor({ state: "hidden" });
  return secret;
}

async function register(page: Page, hand: Hand, url: string): Promise<string> {
  await hand.write("URL", url);
  await hand.press("Register");
  return takeSecret(page, hand);
}

describe("a partner's people", () => {
  testByHand("by mouse")(
    "first steps: certificate, webhook, secret shown once, test event arrives, delivery seen, signature checked, $by",
    journey(async ({ handOf }) => {
      const { receiver, page, hand } = await aNewOwner(handOf, "/overview");
      await page.getByRole("heading", { name: "First steps" }).waitFor();
      await page.route("**/.well-known/oauth-authorization-server", (route) =>
        route.fulfill({ json: PUBLIC_SERVER }),
      );
      await hand.press("API credentials");
      await page.getByText(PUBLIC_SERVER.issuer, { exact: true }).waitFor();
      await page.getByText(PUBLIC_SERVER.token_endpoint, { exact: true }).waitFor();
      await hand.press("Add the next certificate");
      await hand.write("Certificate", nextPartnerKeys().certificatePem);
      await hand.press("Add certificate");
      await page.getByText("Two certificates are registered").waitFor();
      await hand.press("Webhook");
      await hand.press("Register your URL");
      expect(await page.evaluate<string>("document.activeElement.name")).toBe("url");
      const secret = await register(page, hand, receiver.url());
      expect(secret).toMatch(/^whsec_/);
      const held = Promise.withResolvers<void>();
      await page.route("**/partner-profile/webhooks", async (route) => {
        await held.promise;
        await route.continue();
      });
      await hand.press("Send a test event");
      await page.getByText("your server answered 200").waitFor();
      const lastSuccess = page.locator("dt", { hasText: "Last success" }).locator("+ dd");
      await lastSuccess.locator("time").waitFor();
      held.resolve();
      await hand.press("See the delivery");
      await page.getByText("Response 200").waitFor();
      const [request] = await receiver.waitForRequests(1);
      expect(request?.headers["svc-event-type"]).toBe("webhook.test");
      expect(await page.content()).not.toContain(secret);
      const kept = await page.evaluate<string>(
        "JSON.stringify([localStorage, sessionStorage, location.href])",
      );
      expect(kept).not.toContain("whsec_");
      await hand.press("Signature check");
      await hand.write("Svc-Event-Id", request?.headers["svc-event-id"] ?? "");
      await hand.write("Svc-Timestamp", request?.headers["svc-timestamp"] ?? "");
      await hand.write("Svc-Signature", request?.headers["svc-signature"] ?? "");
      await hand.write("Signing secret", secret);
      await hand.write("Raw body", request?.body ?? "");
      await hand.press("Check");
      const valid = page.getByText("The signature is valid.");
      await valid.waitFor();
      await hand.write("Signing secret", secret.slice(0, -3));
      await hand.press("Check");
      await page.getByText("The secret is incomplete or changed").waitFor();
      expect(await valid.count()).toBe(0);
    }),
  );

  testByHand("by keyboard alone")(
    "a receiver that fails: degraded, disabled, enabled again, what was missed is counted, replayed and arrives, $by",
    journey(async ({ handOf }) => {
      const { demo, receiver, page, hand } = await aNewOwner(handOf, "/webhook");
      const degradedSeen = Promise.withResolvers<void>();
      // Five failures make it Degraded; without a sixth answer no delivery is given up, so it stays Degraded until it was seen.
      receiver.answer(...Array<number>(5).fill(500), async (_request, response) => {
        await degradedSeen.promise;
        response.writeHead(500).end();
      });
      await register(page, hand, receiver.url());
      await hand.press("Send a test event");
      await page.getByText("5 attempts in a row failed, since").waitFor();
      await page.getByText("Degraded", { exact: true }).waitFor();
      degradedSeen.resolve();
      await page.getByText("No events have been sent since").waitFor();
      await page.getByText("Disabled", { exact: true }).waitFor();
      const { customerId } = await (await partnerClient(demo)).create(aProfile());
      receiver.answer(200);
      await hand.press("Enable");
      const missed = page.getByText("events were not sent while the webhook was disabled");
      await missed.waitFor();
      await page.getByText("Active", { exact: true }).waitFor();
      expect(await missed.isVisible()).toBe(true);
      await hand.press("Replay missed events…");
      await hand.press("Count events…");
      await page.getByRole("dialog", { name: /^Replay \d+ events\?$/ }).waitFor();
      await hand.press("Replay");
      await page.getByText(/^(\d+) of \1 deliveries created: \1 delivered/).waitFor();
      await hand.press("See the deliveries");
      await page.getByRole("link", { name: "business.profile.created" }).waitFor();
      expect(receiver.requests.some(({ body }) => body.includes(String(customerId)))).toBe(true);
    }),
  );

  testByHand("by mouse")(
    "invites a colleague, changes the role, and disables the colleague, who is signed out at once, $by",
    journey(async ({ handOf }) => {
      const { page, hand } = await aNewOwner(handOf, "/team");
      const email = `colleague.${randomBytes(4).toString("hex")}@new.example`;
      await hand.write("Email", email);
      await hand.press("Create invitation link");
      const dialog = page.getByRole("dialog", { name: "Invitation link" });
      const link = (await dialog.locator("code").textContent()) ?? "";
      await hand.press("I copied the link");
      const { baseUrl } = await browserPlatform();
      const colleague = keep(await openWindow(baseUrl));
      const theirs = handOf(colleague.page);
      await colleague.page.goto(link);
      const password = randomBytes(12).toString("base64url");
      await theirs.write("New password", password);
      await theirs.press("Set password");
      await theirs.write("Password", password);
      await theirs.press("Sign in");
      await colleague.page.getByText(email, { exact: true }).waitFor();
      await colleague.page.getByText("Developer", { exact: true }).waitFor();
      await page.reload();
      const changes: string[] = [];
      page.on("request", (request) => void (request.method() !== "GET" && changes.push(request.method())));
      await page.setViewportSize({ width: 768, height: 900 });
      const roleText = page.getByRole("row", { name: email }).getByText("Developer", { exact: true });
      expect((await roleText.boundingBox())?.height).toBeLessThan(ONE_LINE_PX);
      await page.setViewportSize({ width: 1440, height: 900 });
      await hand.press(`Change role of ${email}`);
      const role = page.getByRole("dialog").getByLabel("Role");
      await role.focus();
      await page.keyboard.press("ArrowUp");
      expect(await role.inputValue()).toBe("Owner");
      await page.getByText("Owners can change everything").waitFor();
      await role.selectOption("Viewer");
      expect(changes).toEqual([]);
      await hand.press("Save");
      await page.getByRole("status").getByText(`The role of ${email} is now Viewer.`).waitFor();
      await hand.press(`End sessions of ${email}`);
      await hand.press("Cancel");
      await hand.press(`Disable ${email}`);
      expect(changes).toEqual(["PATCH"]);
      await hand.press("Disable");
      await page.getByRole("status").getByText(`${email} is disabled and signed out.`).waitFor();
      await page.getByText("Disabled", { exact: true }).waitFor();
      await theirs.press("Customers");
      await colleague.page.getByRole("dialog", { name: "Sign in again" }).waitFor();
      await hand.press("Audit log");
      await page.getByText("Member disabled").waitFor();
    }),
  );

  testByHand("by mouse")(
    "finds a delivery by customer and by event, a customer with what is asked for, and why a token was refused, $by",
    journey(async ({ handOf }) => {
      const { demo, receiver, page, hand } = await aNewOwner(handOf, "/webhook");
      await register(page, hand, receiver.url());
      const client = await partnerClient(demo);
      const { customerId } = await client.create(aProfile({ companyName: "Found Foods" }));
      const [{ uboId }] = (await client.profile(customerId)).businessPersonList;
      await askForChanges(String(customerId), uboId);
      const [first] = await receiver.waitForRequests(1);
      await refuseToken(demo);

      await hand.press("Deliveries");
      await hand.write("Customer id", String(customerId));
      await hand.press("Search");
      await page.getByRole("link", { name: "business.profile.created" }).waitFor();
      expect(new URL(page.url()).searchParams.get("customerId")).toBe(customerId);
      await hand.press("Clear");
      await hand.write("Event id", first?.headers["svc-event-id"] ?? "");
      await hand.press("Search");
      await hand.press(first?.headers["svc-event-type"] ?? "");
      await page.getByText("Response 200").waitFor();
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await hand.press("Copy as curl");
      await page.getByText("Copied").waitFor();
      expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(RECEIVER_URL);

      await page.goto(`/dashboard/customers/${randomUUID()}`);
      await page.getByText("Customer not found").waitFor();
      await hand.press("All customers");
      await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();

      await hand.write("Company name", "found");
      await hand.press("Search");
      await hand.press("Found Foods");
      await page.getByText("Give the one your customers use.").waitFor();
      await page.getByText("To answer, correct website by API.").waitFor();
      await page.getByText("To answer, correct the person's email by API.").waitFor();

      await hand.press("API credentials");
      await page.getByText("Audience invalid").waitFor();
    }),
  );
});

const askForChanges = async (customerId: string, uboId: string): Promise<void> => {
  const analyst = await analystClient();
  const [website, email] = [
    { kind: "Business", field: "website" },
    { kind: "Person", uboId, field: "email" },
  ];
  const items = [
    { target: website, reasonCode: "Other", message: "Give the one your customers use." },
    { target: email, reasonCode: "Other", message: "Give an address of the person." },
  ];
  await analyst.post(`/api/compliance/v1/cases/${customerId}/claim`);
  const { status } = await analyst.post(`/api/compliance/v1/cases/${customerId}/request-changes`, { items });
  expect(status).toBe(200);
};

const refuseToken = async ({ partners: [partner], tokenUrl }: DemoData) => {
  const key = createPrivateKey(readFileSync(partner?.privateKeyFile ?? ""));
  const assertion = makeAssertion({
    clientId: partner?.clientId ?? "",
    key,
    audience: "https://another.example",
  });
  const { status } = await ask(tokenUrl, { method: "POST", body: tokenForm(assertion) });
  expect(status).toBe(401);
};

describe("what a partner's people see", () => {
  const FAR_DOWN = 24;
  const anOwner = async (path: string | null) =>
    keep(await signedIn(ownerOf((await browserPlatform()).demo), path)).page;

  test("the page of an arrived delivery sends no further requests", async () => {
    const page = await anOwner(null);
    await page.clock.install();
    await page.goto("/dashboard/deliveries?status=Delivered");
    await page.locator("a.row-link").first().click();
    await page.getByRole("heading", { name: "Attempts" }).waitFor();
    const polls: string[] = [];
    page.on("request", (request) => void polls.push(request.url()));
    await page.clock.fastForward(60_000);
    await page.getByRole("link", { name: "Close", exact: true }).click();
    await page.locator("a.row-link").last().waitFor();
    expect(polls.filter((url) => /\/deliveries\/[^/?]+$/.test(url))).toEqual([]);
  });

  test("a delivery chosen far down opens at its beginning, on a phone and next to the list", async () => {
    const page = await anOwner(null);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto("/dashboard/deliveries");
      await page.locator("a.row-link").nth(FAR_DOWN).click();
      await page.getByRole("heading", { name: "Attempts" }).waitFor();
      const { y = -1 } =
        (await page.getByRole("heading", { name: "Delivery", exact: true }).boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(844);
      await page.getByRole("link", { name: "Close", exact: true }).click();
      await page.locator("a.row-link").last().waitFor();
    }
  });
});

describe("a partner's secret", () => {
  testByHand("by keyboard alone")(
    "is rotated once, however often the button is pressed, and both secrets sign, $by",
    journey(async ({ handOf }) => {
      const { receiver, page, hand } = await aNewOwner(handOf, "/webhook");
      const first = await register(page, hand, receiver.url());
      await hand.press("Rotate secret…");
      const rotations: string[] = [];
      page.on(
        "request",
        (request) => void (request.url().endsWith("/rotate-secret") && rotations.push(request.url())),
      );
      await hand.pressTwice("Rotate secret");
      const second = await takeSecret(page, hand);
      expect(second).not.toBe(first);
      expect(rotations).toHaveLength(1);
      await hand.press("Send a test event");
      const [request] = await receiver.waitForRequests(1);
      expect(request?.headers["svc-signature"]?.split(" ")).toHaveLength(2);
    }),
  );
});
