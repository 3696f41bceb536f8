/** The page with an entry for each error code; an error names its own by `docsUrl`. */
import { ERROR_CODES, type ErrorCode } from "../../../shared/contract/error-codes.ts";
import { ERROR_WORDS } from "../docs/error-words.ts";
import { code, escapeHtml } from "./html.rules.ts";

const INTRODUCTION = `<h1>Errors</h1>
<p>Decide on <code>error.code</code>; texts may change. <code>details</code> names every violation at once, each with the path to its
field, a code and a text. Quote <code>requestId</code> when you ask for help. The status in brackets is the usual one: what is
missing in the address of a request is 404, in its body 400.</p>`;

export const errorPage = (): string =>
  [INTRODUCTION, ...(Object.keys(ERROR_CODES) as ErrorCode[]).toSorted().map(entry)].join("\n");

function entry(name: ErrorCode): string {
  const [meaning, remedy] = ERROR_WORDS[name];
  return `<section id="${escapeHtml(name)}"><h2>${code(name)} (${ERROR_CODES[name]})</h2>
<p>${escapeHtml(meaning)}</p><p><strong>What to do:</strong> ${escapeHtml(remedy)}</p></section>`;
}
