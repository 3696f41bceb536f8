/** The Markdown of guides and descriptions as HTML: headings have anchors, HTML in it is only text. */
import { Marked } from "marked";
import { block, escapeHtml } from "./html.rules.ts";

const marked = new Marked({
  renderer: {
    code: ({ lang = "", text }) => `${block(lang, text)}\n`,
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    html: ({ text }) => escapeHtml(text),
  },
});

export const markdownToHtml = (text: string): string => marked.parse(text, { async: false }).trim();

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
