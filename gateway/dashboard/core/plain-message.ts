/** The API names routes to programs; people of a page can do nothing with "POST /api/…". */
export const withoutRoutes = (text: string): string =>
  text.replace(/[:,]?\s*\(?\b(?:GET|POST|PUT|PATCH|DELETE) \/[^\s,;)]*\)?/g, "").replace(/([^.!?])$/, "$1.");
