/** The address a request came from; X-Forwarded-For counts only as far as trusted proxies wrote it. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

type ClientAddress = (request: IncomingMessage) => string;

/** Throws when an entry of PBO_TRUSTED_PROXIES is no address or range. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const entry of trustedProxies) addRange(trusted, entry);
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  const peers = new WeakMap<object, string>();
  function peerOf({ socket }: IncomingMessage): string {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const peer = plainAddress(socket.remoteAddress ?? "");
    peers.set(socket, peer);
    return peer;
  }

  return (request) => {
    let address = peerOf(request);
    // Each proxy appends the address it saw, so the list is read from its end.
    for (const hop of forwardedFor(request).reverse()) {
      if (!isTrusted(address)) break;
      const next = plainAddress(hop);
      if (isIP(next) === 0) break;
      address = next;
    }
    return address || "unknown";
  };
}

function forwardedFor(request: IncomingMessage): string[] {
  const header = request.headers["x-forwarded-for"];
  if (header === undefined) return [];
  const text = Array.isArray(header) ? header.join(",") : header;
  return text.split(",").map((hop) => hop.trim());
}

/** Without the IPv4-mapped prefix, a zone, brackets or a port. */
function plainAddress(text: string): string {
  const bare = text.startsWith("[") ? (text.slice(1).split("]")[0] ?? "") : text;
  const address = (isIP(bare) === 0 ? bare.replace(/:\d+$/, "") : bare).split("%")[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

function addRange(list: BlockList, entry: string): void {
  const [address = "", prefix, ...rest] = entry.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const bits = prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix);
  const longest = family === "ipv6" ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0 || !Number.isInteger(bits) || bits < 0 || bits > longest)
    throw new Error(`PBO_TRUSTED_PROXIES holds "${entry}", which is no address or CIDR range.`);
  list.addSubnet(address, bits, family);
}
