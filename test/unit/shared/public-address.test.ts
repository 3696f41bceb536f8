import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  IPV4_REFUSED,
  IPV6_ALLOWED,
  IPV6_REFUSED,
  judgeAddress,
  sameAddress,
} from "../../../shared/webhook/public-address.ts";
import { addressValue } from "../../support/address-value.ts";

const isAllowed = (address: string, allowLoopback = false) =>
  judgeAddress(address, { allowLoopback }).allowed;

describe("judgeAddress", () => {
  test.each(["1.1.1.1", "2001:4860:4860::8888", "2606:4700::1111"])("%s is public", (address) => {
    expect(judgeAddress(address)).toEqual({ allowed: true });
  });

  test.each([...IPV4_REFUSED, ...IPV6_REFUSED])(
    "$cidr ($name): its first and last address are refused",
    (range) => {
      for (const edge of edgesOf(range.cidr)) expect(judgeAddress(edge).allowed).toBe(false);
    },
  );

  test.each([
    "",
    "localhost",
    "127.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1.2.3.04",
    " 1.2.3.4",
    "1.2.3.4 ",
    "::1%lo",
    "2606:4700::1111%eth0",
    "2606:4700:::1111",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::1::",
    "2606:4700::1.2.3",
    "g::1",
    "2606:4700::11111",
  ])("%j is no plain address and is refused", (text) => {
    expect(judgeAddress(text)).toEqual({ allowed: false, reason: "not an address" });
  });

  test("loopback is refused, and allowed only where the local platform asks for it", () => {
    for (const address of ["127.0.0.1", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"]) {
      expect(judgeAddress(address)).toEqual({ allowed: false, reason: "loopback" });
      expect(isAllowed(address, true)).toBe(true);
    }
    for (const address of ["10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "fe80::1", "0.0.0.0", "::"])
      expect(isAllowed(address, true)).toBe(false);
  });

  test("any address is judged as arithmetic over the same ranges judges it", () => {
    const isIn = (address: string, { cidr }: { cidr: string }) => {
      const [{ bits, value }, [network, prefix]] = [addressValue(address), subnet(cidr)];
      const shift = BigInt(bits - prefix);
      return value >> shift === addressValue(network).value >> shift;
    };
    const isInAny = (address: string, ranges: readonly { cidr: string }[]) =>
      ranges.some((range) => isIn(address, range));
    fc.assert(
      fc.property(anyIpv4, (address) => {
        expect(isAllowed(address)).toBe(!isInAny(address, IPV4_REFUSED));
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(anyIpv6, (address) => {
        expect(isAllowed(address)).toBe(isIn(address, IPV6_ALLOWED) && !isInAny(address, IPV6_REFUSED));
      }),
      { numRuns: 2_000 },
    );
  });

  test("an IPv4 address wrapped in any IPv6 form is never public", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = addressValue(address).value.toString(16).padStart(8, "0");
        const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
        for (const wrapped of [
          `::ffff:${address}`,
          `::${address}`,
          `64:ff9b::${address}`,
          `2002:${groups}::`,
        ])
          expect(isAllowed(wrapped)).toBe(false);
        expect(isAllowed(`2001:0:${groups}::`)).toBe(false);
      }),
    );
  });

  test("all spellings of one IPv6 address get one verdict", () => {
    fc.assert(
      fc.property(anyIpv6, (address) => {
        const compressed = new URL(`https://[${address}]/`).hostname.slice(1, -1);
        expect(judgeAddress(compressed)).toEqual(judgeAddress(address));
        expect(sameAddress(compressed, address)).toBe(true);
      }),
    );
  });

  test("every spelling that the URL standard reads as an IPv4 address gets the verdict of the address", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom("decimal", "hex", "octal"), (address, form) => {
        const value = Number(addressValue(address).value);
        const spelt = { decimal: `${value}`, hex: `0x${value.toString(16)}`, octal: `0${value.toString(8)}` }[
          form
        ];
        expect(new URL(`https://${spelt}/`).hostname).toBe(address);
        expect(judgeAddress(new URL(`https://${spelt}/`).hostname)).toEqual(judgeAddress(address));
      }),
    );
  });
});

describe("sameAddress", () => {
  test.each([
    ["127.0.0.1", "::ffff:127.0.0.1", true],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["2606:4700::1111", "2606:4700:0:0:0:0:0:1111", true],
    ["127.0.0.1", "127.0.0.2", false],
    ["::1", "0.0.0.1", false],
    ["127.0.0.1", "", false],
    ["", "", false],
  ])("%s and %s: %s", (left, right, same) => {
    expect(sameAddress(left, right)).toBe(same);
  });
});

/** Also near the borders of the ranges, where a wrong mask would show. */
function anyAddress(bits: number, ranges: readonly { cidr: string }[]): fc.Arbitrary<string> {
  const max = (1n << BigInt(bits)) - 1n;
  const edges = ranges.flatMap(({ cidr }) => edgesOf(cidr)).map((edge) => addressValue(edge).value);
  const near = [...new Set(edges.flatMap((edge) => [edge - 1n, edge, edge + 1n]))];
  return fc
    .oneof(
      fc.bigInt({ min: 0n, max }),
      fc.constantFrom(...near.filter((value) => value >= 0n && value <= max)),
    )
    .map((value) => spell(value, bits));
}
const anyIpv4 = anyAddress(32, IPV4_REFUSED);
const anyIpv6 = anyAddress(128, [IPV6_ALLOWED, ...IPV6_REFUSED]);

function subnet(cidr: string): [string, number] {
  const [address = "", prefix] = cidr.split("/");
  return [address, Number(prefix)];
}

function edgesOf(cidr: string): [string, string] {
  const [text, prefix] = subnet(cidr);
  const { bits, value } = addressValue(text);
  const last = value | ((1n << BigInt(bits - prefix)) - 1n);
  return [spell(value, bits), spell(last, bits)];
}

function spell(value: bigint, bits: number): string {
  const hex = value.toString(16).padStart(bits / 4, "0");
  if (bits === 128) return (hex.match(/.{4}/g) as string[]).join(":");
  return (hex.match(/.{2}/g) as string[]).map((byte) => Number.parseInt(byte, 16)).join(".");
}
