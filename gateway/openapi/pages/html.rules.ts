/** HTML as text; foreign text is always escaped. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** A scrolling block is reachable by keyboard. */
export const block = (language: string, text: string): string =>
  `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}</code></pre>`;

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line("th", heads)}</thead><tbody>${rows.map((row) => line("td", row)).join("")}</tbody></table>`;
};
