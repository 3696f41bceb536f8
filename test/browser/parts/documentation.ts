/** The documentation: read without a script, searched with one, under its policy. */
import { describe, test } from "@jest/globals";
import { openWindow } from "../../support/browser/browser.ts";
import { people } from "../../support/browser/people.ts";
import { browserPlatform } from "../../support/browser/stage.ts";

const keep = people();

const open = async (options = {}) => keep(await openWindow((await browserPlatform()).baseUrl, options));

describe("the documentation", () => {
  test("the reference without scripts: every call is there, with its samples", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    await page.goto("/docs/reference#profileSimulate");
    const call = page.locator("#profileSimulate");
    await call.getByText("Samples").click();
    await call.getByText("client.simulate(customer_id").waitFor();
  });

  test("the search: finds what is on another page and leads there", async () => {
    const { page } = await open();
    await page.goto("/docs");
    await page.getByRole("searchbox").fill("names that decide");
    await page.getByRole("link", { name: "Names that decide by themselves" }).click();
    await page.waitForURL("**/docs/sandbox#names-that-decide-by-themselves");
  });
});
