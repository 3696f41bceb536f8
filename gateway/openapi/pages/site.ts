/** The documentation site: the text of every file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../../../shared/contract/answer-schema.ts";
import type { Audience } from "../audiences.ts";
import { errorPage } from "./error-page.rules.ts";
import { escapeHtml } from "./html.rules.ts";
import { markdownToHtml } from "./markdown.rules.ts";
import { referencePage } from "./reference.rules.ts";
import { filledIn } from "./samples.ts";

/** In the order of the menu. */
export const GUIDES = {
  "": "Start here",
  token: "Get a token",
  "first-customer": "The first customer",
  documents: "Documents",
  webhooks: "Webhooks",
  statuses: "Statuses",
  sandbox: "The sandbox",
  limits: "Limits",
  versions: "Versions",
} as const;
const OTHER_PAGES = {
  errors: "Errors",
  reference: "Reference",
  "reference-dashboard": "Dashboard reference",
};

const here = import.meta.dirname;

export function docsSite(
  baseUrl: string,
  documents: Record<Audience, JsonSchema>,
): ReadonlyMap<string, string> {
  const guide = (name: string): string =>
    markdownToHtml(filledIn(readFileSync(join(here, "guides", `${name || "start"}.md`), "utf8"), baseUrl));
  const pages = [
    ...Object.entries(GUIDES).map(([name, title]) => page(name, title, guide(name))),
    page("errors", OTHER_PAGES.errors, errorPage()),
    page("reference", OTHER_PAGES.reference, referencePage(documents.partner)),
    page("reference-dashboard", OTHER_PAGES["reference-dashboard"], referencePage(documents.dashboard)),
  ];
  return new Map([...pages, asset("site.css"), asset("search.js")]);
}

const asset = (name: string): [string, string] => [name, readFileSync(join(here, name), "utf8")];

function page(name: string, title: string, content: string): [string, string] {
  const menu = Object.entries({ ...GUIDES, ...OTHER_PAGES })
    .map(([other, text]) => {
      const current = other === name ? ' aria-current="page"' : "";
      return `<li><a href="/docs${other && `/${other}`}"${current}>${text}</a></li>`;
    })
    .join("");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Partner Business Onboarding</title>
<link rel="stylesheet" href="/docs/site.css">
</head>
<body>
<nav aria-label="Documentation"><input type="search" id="search" placeholder="Search" aria-label="Search the documentation"><ul id="menu">${menu}</ul><ul id="found" hidden></ul></nav>
<main>${content}</main>
<script src="/docs/search.js"></script>
</body>
</html>
`;
  return [`${name || "index"}.html`, html];
}
