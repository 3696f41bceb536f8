/** Addresses a webhook may be sent to; a test compares the network policies with these tables. */
import { BlockList, isIP } from "node:net";

export type AddressRange = { cidr: string; name: string };

/** IANA's special-purpose registry (RFC 6890 and updates), multicast, reserved, and one cloud platform's address. */
export const IPV4_REFUSED: readonly AddressRange[] = [
  { cidr: "0.0.0.0/8", name: "this network" },
  { cidr: "10.0.0.0/8", name: "private" },
  { cidr: "100.64.0.0/10", name: "carrier-grade NAT" },
  { cidr: "127.0.0.0/8", name: "loopback" },
  { cidr: "168.63.129.16/32", name: "cloud platform" },
  { cidr: "169.254.0.0/16", name: "link-local" },
  { cidr: "172.16.0.0/12", name: "private" },
  { cidr: "192.0.0.0/24", name: "protocol assignments" },
  { cidr: "192.0.2.0/24", name: "documentation" },
  { cidr: "192.31.196.0/24", name: "AS112" },
  { cidr: "192.52.193.0/24", name: "AMT relay" },
  { cidr: "192.88.99.0/24", name: "6to4 relay" },
  { cidr: "192.168.0.0/16", name: "private" },
  { cidr: "192.175.48.0/24", name: "AS112" },
  { cidr: "198.18.0.0/15", name: "benchmarking" },
  { cidr: "198.51.100.0/24", name: "documentation" },
  { cidr: "203.0.113.0/24", name: "documentation" },
  { cidr: "224.0.0.0/4", name: "multicast" },
  { cidr: "240.0.0.0/4", name: "reserved" },
];

/** Global unicast only: excludes loopback, mapped, NAT64, unique local, link-local and multicast. */
export const IPV6_ALLOWED: AddressRange = { cidr: "2000::/3", name: "global unicast" };

export const IPV6_REFUSED: readonly AddressRange[] = [
  { cidr: "2001::/23", name: "protocol assignments" },
  { cidr: "2001:db8::/32", name: "documentation" },
  { cidr: "2002::/16", name: "6to4" },
  { cidr: "3fff::/20", name: "documentation" },
];

export type AddressVerdict = { allowed: true } | { allowed: false; reason: string };

type Family = "ipv4" | "ipv6";
type Block = { name: string; has(address: string): boolean };

export function judgeAddress(text: string, options: { allowLoopback?: boolean } = {}): AddressVerdict {
  const family = familyOf(text);
  if (!family) return refused("not an address");
  const { loopback, allowed, blocks } = RULES[family];
  if (loopback.has(text)) return options.allowLoopback ? { allowed: true } : refused("loopback");
  if (!allowed.has(text)) return refused(`not ${allowed.name}`);
  const block = blocks.find((each) => each.has(text));
  return block ? refused(block.name) : { allowed: true };
}

/** Compares the checked address with the connected one in any spelling; a dual-stack socket has ::ffff:a.b.c.d. */
export function sameAddress(left: string, right: string): boolean {
  const [ofLeft, ofRight] = [familyOf(left), familyOf(right)];
  if (!ofLeft || !ofRight) return false;
  const list = new BlockList();
  list.addAddress(left, ofLeft);
  return list.check(right, ofRight);
}

const refused = (reason: string): AddressVerdict => ({ allowed: false, reason });

/** Null for anything but a plain address; one with a zone is only valid on its own machine. */
function familyOf(text: string): Family | null {
  const version = text.includes("%") ? 0 : isIP(text);
  return version === 0 ? null : `ipv${version as 4 | 6}`;
}

const toBlock =
  (family: Family) =>
  ({ cidr, name }: AddressRange): Block => {
    const [network = "", prefix] = cidr.split("/");
    const list = new BlockList();
    list.addSubnet(network, Number(prefix), family);
    return { name, has: (address) => list.check(address, family) };
  };

const [ipv4, ipv6] = [toBlock("ipv4"), toBlock("ipv6")];

const RULES = {
  ipv4: {
    loopback: ipv4({ cidr: "127.0.0.0/8", name: "loopback" }),
    allowed: ipv4({ cidr: "0.0.0.0/0", name: "IPv4" }),
    blocks: IPV4_REFUSED.map(ipv4),
  },
  ipv6: {
    loopback: ipv6({ cidr: "::1/128", name: "loopback" }),
    allowed: ipv6(IPV6_ALLOWED),
    blocks: IPV6_REFUSED.map(ipv6),
  },
} as const;
