/** Addresses a webhook may be sent to; a test compares the network policies with these tables. */

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

type Address = { bits: 32 | 128; value: bigint };
type Block = Address & { shift: bigint; name: string };

/** Judges a resolved or literal address; anything else is refused. */
export function judgeAddress(text: string, options: { allowLoopback?: boolean } = {}): AddressVerdict {
  const address = parseAddress(text);
  if (!address) return refused("not an address");
  if (isLoopback(address)) return options.allowLoopback ? { allowed: true } : refused("loopback");
  if (address.bits === 32) return outside(address, ipv4Refused);
  if (!contains(ipv6Allowed, address)) return refused("not global unicast");
  return outside(address, ipv6Refused);
}

/** Compares the checked address with the one connected to, whatever their spelling. */
export function sameAddress(left: string, right: string): boolean {
  const [a, b] = [parseAddress(unmapped(left)), parseAddress(unmapped(right))];
  return a !== null && b !== null && a.bits === b.bits && a.value === b.value;
}

/** A dual-stack socket reports an IPv4 peer as ::ffff:a.b.c.d. */
const unmapped = (text: string): string => text.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");

const refused = (reason: string): AddressVerdict => ({ allowed: false, reason });

function outside(address: Address, blocks: readonly Block[]): AddressVerdict {
  const block = blocks.find((candidate) => contains(candidate, address));
  return block ? refused(block.name) : { allowed: true };
}

const contains = (block: Block, address: Address): boolean =>
  block.bits === address.bits && block.value >> block.shift === address.value >> block.shift;

const isLoopback = (address: Address): boolean =>
  address.bits === 32 ? address.value >> 24n === 127n : address.value === 1n;

/** Canonical dotted decimal or RFC 4291 text; no zone, no octal, no short forms. */
export function parseAddress(text: string): Address | null {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Address | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return null;
  return { bits: 32, value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) };
}

function parseIpv6(text: string): Address | null {
  const halves = withHexTail(text)?.split("::");
  if (!halves || halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...tail];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return { bits: 128, value: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) };
}

/** Rewrites the dotted tail of ::ffff:10.0.0.1 as two hexadecimal groups. */
function withHexTail(text: string): string | null {
  if (!text.includes(".")) return text;
  const cut = text.lastIndexOf(":") + 1;
  const tail = parseIpv4(text.slice(cut));
  if (!tail) return null;
  return `${text.slice(0, cut)}${(tail.value >> 16n).toString(16)}:${(tail.value & 0xffffn).toString(16)}`;
}

function toBlock({ cidr, name }: AddressRange): Block {
  const [text = "", prefix] = cidr.split("/");
  const address = parseAddress(text);
  if (!address) throw new Error(`not a range: ${cidr}`);
  return { ...address, name, shift: BigInt(address.bits - Number(prefix)) };
}

const ipv4Refused = IPV4_REFUSED.map(toBlock);
const ipv6Refused = IPV6_REFUSED.map(toBlock);
const ipv6Allowed = toBlock(IPV6_ALLOWED);
