/** Where requests may go: https, or this machine, and never on to another address. */
import { ConnectionError } from "./errors.ts";

/** Without the slashes at its end. Over plain http tokens and data of customers could be read on their way. */
export function checkedBaseUrl(text: string): string {
  const baseUrl = text.replace(/\/+$/, "");
  const { protocol, hostname } = URL.canParse(baseUrl) ? new URL(baseUrl) : { protocol: "", hostname: "" };
  const isOwn = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isOwn)) return baseUrl;
  throw new TypeError(`baseUrl must begin with https:// (http:// is for this machine only): ${text}`);
}

/** A redirect would take the token and the body to an address that is not the API's, so it is an error. */
export const redirectOf = ({ status, headers }: Response): ConnectionError | null =>
  status >= 300 && status < 400
    ? new ConnectionError(
        `The answer is a redirect (${status} to ${headers.get("location") ?? "nowhere"}). Redirects are not followed; check baseUrl.`,
      )
    : null;

export function refuseRedirect(response: Response): void {
  const redirect = redirectOf(response);
  if (redirect) throw redirect;
}
