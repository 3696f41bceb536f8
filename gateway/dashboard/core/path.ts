/** Paths and queries of our own addresses, and texts that name them. */

/** A path below a base of ours. Values are always encoded; a dot segment, which a browser would resolve, leads nowhere. */
export const at =
  (base: string) =>
  (strings: TemplateStringsArray, ...values: string[]): string =>
    base + String.raw({ raw: strings }, ...values.map(asSegment));

const asSegment = (value: string): string => encodeURIComponent(value).replace(/^\.\.?$/, "-");

export type Query = Record<string, string | undefined>;

/** Without the values that are not given; `always` also with an empty one. */
export function searchOf(query: Query, always: Record<string, string> = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams({ ...always, ...Object.fromEntries(given) }).toString();
  return text && `?${text}`;
}

/** The API names routes to programs; people of a page can do nothing with "POST /api/…". */
export const withoutRoutes = (text: string): string =>
  text.replace(/[:,]?\s*\(?\b(?:GET|POST|PUT|PATCH|DELETE) \/[^\s,;)]*\)?/g, "").replace(/([^.!?])$/, "$1.");
