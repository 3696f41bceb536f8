/** The page with an entry for each error code; an error names its own by `docsUrl`. */
import { ERROR_CODES, type ErrorCode } from "../../../shared/contract/error-codes.ts";
import { code, escapeHtml } from "./html.rules.ts";

const INTRODUCTION = `<h1>Errors</h1>
<p>Base your program on <code>error.code</code>; texts can change. <code>details</code> lists every violation, each with the path of
its field, a code and a text. Quote <code>requestId</code> when you ask for help. The status in brackets is the default. An unknown
id is 404 in the address of a request, and 400 in its body.</p>`;

export const errorPage = (): string =>
  [INTRODUCTION, ...(Object.keys(ERROR_CODES) as ErrorCode[]).toSorted().map(entry)].join("\n");

function entry(name: ErrorCode): string {
  const [status, meaning, remedy] = ERROR_CODES[name];
  return `<section id="${escapeHtml(name)}"><h2>${code(name)} (${status})</h2>
<p>${escapeHtml(meaning)}</p><p><strong>What to do:</strong> ${escapeHtml(remedy)}</p></section>`;
}
