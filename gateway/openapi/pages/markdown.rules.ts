/** The part of Markdown that our guides use, as HTML: headings, paragraphs, lists, tables, code, links. */
import { block, code, escapeHtml, table } from "./html.rules.ts";

const FENCE = /^```(\w*)\n([\s\S]*?)(?:^```$\n?|(?![\s\S]))/gm;

export function markdownToHtml(text: string): string {
  const html: string[] = [];
  let end = 0;
  // Code is taken out first: nothing in it is Markdown.
  text.replaceAll(FENCE, (whole, language: string, sample: string, index: number) => {
    html.push(...blocks(text.slice(end, index)), block(language, sample.trimEnd()));
    end = index + whole.length;
    return whole;
  });
  return [...html, ...blocks(text.slice(end))].join("\n");
}

const blocks = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(toBlock);

function toBlock(part: string): string {
  const [, marks = "", title = ""] = /^(#{1,3}) (.+)$/.exec(part) ?? [];
  if (marks) return `<h${marks.length} id="${anchorOf(title)}">${inline(title)}</h${marks.length}>`;
  const lines = part.split("\n");
  if (part.startsWith("|")) return tableOf(lines);
  if (part.startsWith("- ")) return `<ul>${itemsOf(part, /^- /m)}</ul>`;
  if (/^1\. /.test(part)) return `<ol>${itemsOf(part, /^\d+\. /m)}</ol>`;
  return `<p>${inline(lines.join(" "))}</p>`;
}

const itemsOf = (part: string, mark: RegExp): string =>
  part
    .split(new RegExp(mark.source, "gm"))
    .filter((item) => item !== "")
    .map((item) => `<li>${inline(item.trim().replaceAll(/\n\s*/g, " "))}</li>`)
    .join("");

/** The second line only rules off the first. */
const tableOf = ([head, , ...rows]: string[]): string => table(cellsOf(head), rows.map(cellsOf));

const cellsOf = (line: string | undefined): string[] =>
  String(line)
    .slice(1, -1)
    .split("|")
    .map((cell) => inline(cell.trim()));

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Code keeps its signs; the rest may have links and strong words. */
const inline = (text: string): string =>
  text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : withLinks(part)))
    .join("");

const withLinks = (text: string): string =>
  escapeHtml(text)
    .replaceAll(LINK, '<a href="$2">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
