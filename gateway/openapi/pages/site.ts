/** The documentation site: every page, as text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../openapi.ts";
import { errorPage } from "./error-page.rules.ts";
import { escapeHtml } from "./html.rules.ts";
import { markdownToHtml } from "./markdown.rules.ts";
import { referencePage } from "./reference.rules.ts";
import { filledIn } from "./samples.ts";

type SiteFile = { type: string; text: string };

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

export function docsSite(baseUrl: string): ReadonlyMap<string, SiteFile> {
  const guide = (name: string): string =>
    markdownToHtml(filledIn(readFileSync(join(here, "guides", `${name || "start"}.md`), "utf8"), baseUrl));
  const pages = [
    ...Object.entries(GUIDES).map(([name, title]) => page(name, title, guide(name))),
    page("errors", OTHER_PAGES.errors, errorPage()),
    page("reference", OTHER_PAGES.reference, referencePage(openApiDocument("partner", baseUrl))),
    page(
      "reference-dashboard",
      OTHER_PAGES["reference-dashboard"],
      referencePage(openApiDocument("dashboard", baseUrl)),
    ),
  ];
  return new Map([...pages, asset("site.css", "text/css"), asset("search.js", "text/javascript")]);
}

const asset = (name: string, type: string): [string, SiteFile] => [
  name,
  { type: `${type}; charset=utf-8`, text: readFileSync(join(here, name), "utf8") },
];

function page(name: string, title: string, content: string): [string, SiteFile] {
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
  return [name, { type: "text/html; charset=utf-8", text: html }];
}
