/** A real browser for tests: each person has a window of their own, and what goes wrong in it fails the test. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { processEnv } from "../../../shared/config/config.ts";
import { findChromium } from "./chromium.ts";
import { STANDING_CHECKS } from "./standing-checks.ts";

/** A busy machine is slow; a test that waits for nothing fails all the same. */
const PATIENT_MS = 45_000;

export type Person = { page: Page; problems: string[]; close(): Promise<void> };
export type Theme = "light" | "dark";

let running: Promise<Browser> | null = null;

export function theBrowser(): Promise<Browser> {
  running ??= launch();
  return running;
}

export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = null;
  await browser?.close();
}

async function launch(): Promise<Browser> {
  const { path, env } = await findChromium();
  // As root there is no sandbox of Chromium; the pages are our own.
  return chromium.launch({ executablePath: path, env: { ...processEnv(), ...env }, chromiumSandbox: false });
}

const USUAL: BrowserContextOptions = {
  // Headless Chromium may tell a locale that Intl refuses.
  locale: "en-GB",
  timezoneId: "Europe/Berlin",
  viewport: { width: 1440, height: 900 },
  reducedMotion: "reduce",
};

export async function openWindow(baseURL: string, options: BrowserContextOptions = {}): Promise<Person> {
  const browser = await theBrowser();
  const context = await browser.newContext({ baseURL, ...USUAL, ...options });
  context.setDefaultTimeout(PATIENT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`page error: ${error.message}`));
  let putOff = 0;
  page.on("console", (message) => {
    if (message.type() !== "error" || isRefusal(message.text())) return;
    if (isPutOff(message.text())) putOff += 1;
    if (!isPutOff(message.text()) || putOff > MOST_PUT_OFF)
      problems.push(`console: ${message.text()} ${message.location().url}`);
  });
  await context.exposeBinding("tellProblem", (_source, text: string) => void problems.push(text));
  await context.addInitScript({ content: STANDING_CHECKS });
  return { page, problems, close: () => context.close() };
}

/** As a person who signed in before; the form has tests of its own. */
export async function giveSession(page: Page, url: string, cookie: string): Promise<void> {
  const [name = ""] = cookie.split("=", 1);
  const value = cookie.slice(name.length + 1);
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: "Lax" }]);
}

/** The browser reports every refusal; a test checks the expected ones itself. */
const isRefusal = (text: string): boolean => /^Failed to load resource: .* status of 4\d\d/.test(text);

/** A service on a machine full of tests may put a read off. The page sends it once more; a test sees what it shows then. */
const MOST_PUT_OFF = 2;
const isPutOff = (text: string): boolean => text.includes("status of 503");

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

type AxeResult = { violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] };

/** Which of its rules are asked: all, or those whose answer the size of the window or its colours can change. */
const RULES = {
  all: WCAG,
  sizes: ["target-size", "scrollable-region-focusable"],
  colours: ["color-contrast"],
  "sizes and colours": ["target-size", "scrollable-region-focusable", "color-contrast"],
};
export type RuleSet = keyof typeof RULES;

/** Findings of axe against WCAG 2.2 AA, a line each. */
export async function accessibilityProblems(page: Page, rules: RuleSet = "all"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES[rules])}, resultTypes: ["violations"], preload: false })
      .then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = "" }) => `${id}: ${target.join(" ")}: ${failureSummary.split("\n")[1]}`,
    ),
  );
}

const CONTROLS = [
  "button",
  "link",
  "textbox",
  "searchbox",
  "combobox",
  "checkbox",
  "radio",
  "spinbutton",
  "menuitem",
];
type AxValue = { value?: unknown };
type AxTree = {
  nodes: { ignored: boolean; role?: AxValue; name?: AxValue; backendDOMNodeId?: number }[];
};

export async function namelessControls(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const { nodes }: AxTree = await devtools.send("Accessibility.getFullAXTree");
    return nodes
      .filter(({ ignored, role }) => !ignored && CONTROLS.includes(String(role?.value)))
      .filter(({ name }) => String(name?.value ?? "").trim() === "")
      .map(({ role, backendDOMNodeId }) => `no name: ${role?.value} (node ${backendDOMNodeId})`);
  } finally {
    await devtools.detach();
  }
}

export const sidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** The page is complete, and no request is pending. */
export const untilLoaded = async (page: Page): Promise<void> => {
  await page.locator("h1").waitFor();
  await page.locator(".skeleton, [aria-busy=true]").first().waitFor({ state: "hidden" });
};
