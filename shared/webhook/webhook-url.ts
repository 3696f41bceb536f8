/** Rules for webhook destinations: the URL itself and every address its host resolves to. */
import { isIP } from "node:net";
import { withDeadline } from "../deadline.ts";
import { AppError } from "../errors.ts";
import { judgeAddress } from "./public-address.ts";

/** All addresses of a host; rejects when there are none or the name server does not answer in time. */
export type Resolver = { resolve(host: string): Promise<readonly string[]> };

export type Destination = { host: string; addresses: readonly string[] };

export type ResolveOptions = { resolver: Resolver; allowLoopback: boolean; timeoutMs: number };

type UrlCode = "Webhook.UrlNotHttps" | "Webhook.UrlNotPublic" | "Webhook.UrlUnresolvable";

const MAX_URL_LENGTH = 2_048;

/** Below it are the services of machines (mail, remote shells), which must not be knocked at; 443 is no port in a URL. */
const FIRST_FREE_PORT = 1_024;

/** Names reserved for the local machine or network (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_SUFFIXES = ["local", "internal", "home.arpa", "localdomain"];

/** Checks everything that needs no name server. */
export function parseWebhookUrl(raw: unknown): URL {
  if (typeof raw !== "string" || raw === "") throw problem("Webhook.UrlNotHttps", "url is required.");
  if (raw.length > MAX_URL_LENGTH)
    throw problem("Webhook.UrlNotHttps", `url must have at most ${MAX_URL_LENGTH} characters.`);
  // URL accepts blanks, control characters and backslashes, and may then read a different host than a person does.
  if (/[\s\p{Cc}\\]/u.test(raw) || !URL.canParse(raw))
    throw problem("Webhook.UrlNotHttps", "url must be an absolute https URL.");
  const url = new URL(raw);
  if (url.protocol !== "https:") throw problem("Webhook.UrlNotHttps", "url must begin with https://.");
  if (url.username || url.password || raw.split(/[/?#]/)[2]?.includes("@"))
    throw problem("Webhook.UrlNotPublic", "url must not hold a user name or password.");
  if (url.port !== "" && Number(url.port) < FIRST_FREE_PORT)
    throw problem("Webhook.UrlNotPublic", `url must use the port 443 or one from ${FIRST_FREE_PORT} on.`);
  return url;
}

/** A single non-public address refuses the host. Connect to the returned addresses only: DNS answers change. */
export async function resolveDestination(
  hostname: string,
  { resolver, allowLoopback, timeoutMs }: ResolveOptions,
): Promise<Destination> {
  const host = bareHost(hostname);
  const addresses = await addressesOf(host, resolver, timeoutMs);
  for (const address of addresses) {
    const verdict = judgeAddress(address, { allowLoopback });
    if (!verdict.allowed)
      throw problem("Webhook.UrlNotPublic", `The address of ${host} is not public (${verdict.reason}).`);
  }
  return { host, addresses };
}

/** The host as used for DNS, connections and certificates: without brackets and trailing dot. */
const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

async function addressesOf(host: string, resolver: Resolver, timeoutMs: number): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const name = host.toLowerCase();
  if (hasSuffix(name, ["localhost"])) return ["127.0.0.1", "::1"];
  if (hasSuffix(name, LOCAL_SUFFIXES))
    throw problem("Webhook.UrlNotPublic", `${host} is a name of a private network.`);
  if (name === "" || hasSuffix(name, ["invalid"])) throw unresolvable(host);
  let addresses: readonly string[];
  try {
    addresses = await withDeadline(resolver.resolve(name), timeoutMs);
  } catch (cause) {
    throw unresolvable(host, cause);
  }
  if (addresses.length === 0) throw unresolvable(host);
  return addresses;
}

const hasSuffix = (name: string, suffixes: readonly string[]): boolean =>
  suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));

const unresolvable = (host: string, cause?: unknown): AppError =>
  problem("Webhook.UrlUnresolvable", `The host ${host} cannot be resolved.`, cause);

const problem = (code: UrlCode, message: string, cause?: unknown): AppError =>
  new AppError(code, message, { cause });
