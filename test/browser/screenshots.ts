/** npm run screenshots: every page of the dashboard on demo data, light, dark and on a phone, for people to look at. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { buildDashboard } from "../../deploy/build/dashboard.ts";
import type { Login } from "../../deploy/lib/dashboard-session.ts";
import { demoPartner } from "../../deploy/lib/demo-data.ts";
import { projectDir } from "../../deploy/lib/paths.ts";
import { createPlatform } from "../../deploy/local/platform.ts";
import { consoleReport } from "../../deploy/local/report.ts";
import { closeBrowser, openWindow, untilLoaded } from "../support/browser/browser.ts";
import { ANALYST_PAGES, openPage, PARTNER_PAGES } from "../support/browser/pages.ts";

const VIEWS: Record<string, BrowserContextOptions> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true },
};
/** Those that the README shows, small; whoever changes their page copies them to deploy/images. */
const OF_README = { overview: "overview?period=7d", deliveries: "deliveries?status=Exhausted > first" };
/** One that is claimed, with a picture to look at. */
const OF_ANALYST = { review: "queue?tab=mine > first" };
const SMALL = {
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 0.6,
  colorScheme: "light",
} as const;
const dir = join(projectDir, "test", "browser", "screenshots");
rmSync(dir, { recursive: true, force: true });
mkdirSync(dir, { recursive: true });
await buildDashboard();
const platform = createPlatform({
  stateDir: mkdtempSync(join(tmpdir(), "pbo-screenshots-")),
  temporary: true,
  demoCustomers: 200,
  env: { PBO_PORT: "0" },
  report: consoleReport(),
});
try {
  const { baseUrl, demo } = await platform.start();
  const [owner, troubled] = [1, 2].map((number) => demoPartner(demo, number).users[0]);
  const [analyst] = demo.analysts;
  if (!owner || !troubled || !analyst) throw new Error("The demo accounts are not complete.");
  for (const view of Object.keys(VIEWS)) {
    await takeAll(baseUrl, owner, PARTNER_PAGES, { who: "owner", view });
    await takeAll(baseUrl, troubled, ["overview", "webhook"], { who: "troubled", view });
    await takeAll(baseUrl, analyst, [...ANALYST_PAGES, OF_ANALYST.review], { who: "analyst", view });
  }
  await takeSmall(baseUrl, owner, OF_README);
  await takeSmall(baseUrl, analyst, OF_ANALYST);
  console.log(`The pictures are in ${dir}.`);
} finally {
  await closeBrowser();
  await platform.stop();
}

type Kind = { who: string; view: string };

async function takeAll(
  baseUrl: string,
  login: Login,
  paths: readonly string[],
  { who, view }: Kind,
): Promise<void> {
  const { page, close } = await openWindow(baseUrl, VIEWS[view]);
  await page.goto("/dashboard");
  await take(page, `sign-in-${view}`);
  await signIn(page, login);
  for (const path of paths) {
    await open(page, path);
    await take(page, `${who}-${path.replaceAll(/\W+/g, "-")}-${view}`);
  }
  await close();
}

async function open(page: Page, path: string): Promise<void> {
  await openPage(page, path);
  if (path !== OF_ANALYST.review) return;
  await page.getByRole("button", { name: /^Open Identity front/ }).click();
  await page.locator(".picture img").waitFor();
  await page.waitForLoadState("networkidle");
}

async function takeSmall(baseUrl: string, login: Login, pages: Record<string, string>): Promise<void> {
  const { page, close } = await openWindow(baseUrl, SMALL);
  await page.goto("/dashboard");
  await signIn(page, login);
  for (const [name, path] of Object.entries(pages)) {
    await open(page, path);
    await take(page, `readme-${name}`, { fullPage: false });
  }
  await close();
}

async function signIn(page: Page, { email, password }: Login): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

async function take(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  await untilLoaded(page);
  const usual = page.viewportSize();
  if (usual && fullPage) await growWindow(page, usual.width);
  await page.screenshot({ path: join(dir, `${name}.png`) });
  if (usual) await page.setViewportSize(usual);
}

/** Until nothing is left to scroll: what stays in place while a person scrolls reaches down to the end of the page. */
async function growWindow(page: Page, width: number): Promise<void> {
  const needed = () => page.evaluate<number>("document.documentElement.scrollHeight");
  for (let height = 0, next = await needed(); next > height; next = await needed()) {
    height = next;
    await page.setViewportSize({ width, height });
  }
}
