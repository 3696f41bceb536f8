/** Refuses writes that another site makes a signed-in browser send. */
type Headers = {
  readonly "sec-fetch-site"?: string | string[] | undefined;
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
};

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);
/** "none" means that the person did it: the address bar, a bookmark. */
const OWN_SITES = new Set(["same-origin", "none"]);

/** True when the browser says that the request comes from elsewhere; programs send no such header and pass. */
export function isCrossSiteWrite(method: string, headers: Headers, ownOrigin: string): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && !(typeof site === "string" && OWN_SITES.has(site))) return true;
  const { origin } = headers;
  return origin !== undefined && origin !== ownOrigin && !isOriginOfHost(origin, headers.host);
}

/** A cookie belongs to the host it was set by, so a page of that host is our own whatever the base URL says. */
const isOriginOfHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && (origin === `https://${host}` || origin === `http://${host}`);
