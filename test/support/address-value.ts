/** An address as a number, by arithmetic of the test's own. */
import { isIPv4, isIPv6 } from "node:net";

export type AddressValue = { bits: 32 | 128; value: bigint };

export function addressValue(text: string): AddressValue {
  if (isIPv4(text))
    return { bits: 32, value: text.split(".").reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) };
  if (!isIPv6(text)) throw new Error(`not an address: ${text}`);
  const [head = "", tail = ""] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const [left, right] = [head, tail].map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - Number(left?.length) - Number(right?.length)).fill("0");
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])];
  return { bits: 128, value: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) };
}
