/** What a partner's people do: first steps by mouse and by keyboard, rotation of the secret. */
import { describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { people } from "../../support/browser/people.ts";
import { browserPlatform, ownerOf, signedIn } from "../../support/browser/stage.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { receiverFor } from "../../support/stage/platform.ts";

const keep = people();

const newOwner = async () => {
  const platform = await browserPlatform();
  const demo = await newAccounts(platform);
  const [receiver, { page }] = await Promise.all([receiverFor(platform), signedIn(ownerOf(demo)).then(keep)]);
  return { demo, receiver, page };
};

/** The secret that the dialog shows; it has to be answered, whatever keys are pressed. */
async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "Your signing secret" });
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByRole("button", { name: "I have stored it" }).click();
  await dialog.waitFor({ state: "hidden" });
  return secret;
}

async function register(page: Page, url: string): Promise<string> {
  await page.getByRole("link", { name: "Webhook", exact: true }).click();
  await page.getByLabel("URL").fill(url);
  await page.getByRole("button", { name: "Register" }).click();
  return takeSecret(page);
}

describe("a partner's people", () => {
  test("first steps: webhook, secret shown once, test event arrives, delivery seen", async () => {
    const { receiver, page } = await newOwner();
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    const secret = await register(page, receiver.url());
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("your server answered 200").waitFor();
    await page.getByRole("link", { name: "See the delivery" }).click();
    await page.getByText("Answer 200").waitFor();
    expect(receiver.requests.map(({ headers }) => headers["svc-event-type"])).toEqual(["webhook.test"]);
    expect(await page.content()).not.toContain(secret);
    expect(
      await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage, location.href])"),
    ).not.toContain("whsec_");
    await receiver.close();
  });

  test("the same by keyboard alone, and a signature checked in the page", async () => {
    const { receiver, page } = await newOwner();
    await page.goto("/dashboard/webhook");
    await page.getByLabel("URL").press("Control+a");
    await page.keyboard.type(receiver.url());
    await page.keyboard.press("Enter");
    const stored = page.getByRole("button", { name: "I have stored it" });
    await stored.waitFor();
    const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await tabTo(page, "I have stored it");
    await page.keyboard.press("Enter");
    await stored.waitFor({ state: "hidden" });
    await tabTo(page, "Send a test event");
    await page.keyboard.press("Enter");
    await page.getByText("your server answered 200").waitFor();
    const [request] = await receiver.waitForRequests(1);
    const sent = (name: string) => request?.headers[name] ?? "";
    await page.goto("/dashboard/signature-check");
    await page.getByLabel("Svc-Event-Id").focus();
    for (const text of [
      sent("svc-event-id"),
      sent("svc-timestamp"),
      sent("svc-signature"),
      secret,
      request?.body ?? "",
    ]) {
      await page.keyboard.insertText(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByText("The signature is valid.").waitFor();
    await receiver.close();
  });

  test("a secret is rotated once, however often the button is pressed, and both secrets sign", async () => {
    const { receiver, page } = await newOwner();
    const first = await register(page, receiver.url());
    await page.getByRole("button", { name: "Rotate secret…" }).click();
    const rotations: string[] = [];
    page.on(
      "request",
      (request) => void (request.url().endsWith("/rotate-secret") && rotations.push(request.url())),
    );
    await page.getByRole("button", { name: "Rotate", exact: true }).dblclick();
    const second = await takeSecret(page);
    expect(second).not.toBe(first);
    expect(rotations).toHaveLength(1);
    await page.getByRole("button", { name: "Send a test event" }).click();
    const [request] = await receiver.waitForRequests(1);
    expect(request?.headers["svc-signature"]?.split(" ")).toHaveLength(2);
    await receiver.close();
  });
});

/** Tab after Tab until the button has the focus; a page has no hundred stops. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    const focused = await page.evaluate<string>("document.activeElement?.textContent ?? ''");
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${name} cannot be reached by Tab.`);
}
