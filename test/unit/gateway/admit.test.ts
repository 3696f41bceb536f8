import type { IncomingMessage } from "node:http";
import { describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { createClientAddress } from "../../../gateway/admit/client-address.ts";
import { isCrossSiteWrite } from "../../../gateway/admit/session-cross-site.rules.ts";
import { createTrust } from "../../../gateway/admit/trust.ts";
import { addressKey } from "../../../shared/identity/address-key.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

const request = (remoteAddress: string | undefined, forwardedFor?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwardedFor } }) as unknown as IncomingMessage;

describe("createClientAddress", () => {
  const behind = createClientAddress(["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]);
  test.each([
    ["no proxy trusted", createClientAddress([]), "198.51.100.1", "1.1.1.1", "198.51.100.1"],
    ["a stranger's header", behind, "198.51.100.1", "1.1.1.1", "198.51.100.1"],
    ["a proxy's header", behind, "10.0.0.1", "198.51.100.9", "198.51.100.9"],
    ["two proxies", behind, "10.0.0.1", "198.51.100.9, 10.9.9.9", "198.51.100.9"],
    ["a caller who wrote an entry himself", behind, "10.0.0.1", "1.1.1.1, 198.51.100.9", "198.51.100.9"],
    ["a caller who claims to be a proxy", behind, "10.0.0.1", "1.1.1.1, 192.0.2.1", "1.1.1.1"],
    ["no header", behind, "10.0.0.1", undefined, "10.0.0.1"],
    ["an empty header", behind, "10.0.0.1", "", "10.0.0.1"],
    ["nonsense", behind, "10.0.0.1", "unknown", "10.0.0.1"],
    ["nonsense before a proxy", behind, "10.0.0.1", "1.1.1.1, _hidden, 10.2.2.2", "10.2.2.2"],
    ["an IPv4-mapped socket", behind, "::ffff:10.0.0.1", "198.51.100.9", "198.51.100.9"],
    ["a port", behind, "10.0.0.1", "198.51.100.9:1234", "198.51.100.9"],
    ["IPv6 with a port", behind, "2001:db8::1", "[2001:4860::8888]:443", "2001:4860::8888"],
    ["all of them proxies", behind, "10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"],
    ["an IPv6 proxy", behind, "2001:db8::1", "198.51.100.9", "198.51.100.9"],
    ["an IPv6 stranger", behind, "2001:db9::1", "198.51.100.9", "2001:db9::1"],
    ["two headers", behind, "10.0.0.1", ["198.51.100.9", "10.9.9.9"], "198.51.100.9"],
    ["a zone", behind, "fe80::1%eth0", undefined, "fe80::1"],
    [
      "an address that only begins like a mapped one",
      behind,
      "::ffff:1.2.3.4:5:6",
      undefined,
      "::ffff:1.2.3.4:5",
    ],
    ["a socket that is closed", behind, undefined, undefined, "unknown"],
    ["one trusted IPv6 address", createClientAddress(["::1"]), "::1", "198.51.100.9", "198.51.100.9"],
    ["its neighbour", createClientAddress(["::1"]), "::2", "198.51.100.9", "::2"],
    ["every IPv4 proxy", createClientAddress(["0.0.0.0/0"]), "203.0.113.7", "198.51.100.9", "198.51.100.9"],
  ])("%s", (_name, addressOf, socket, header, expected) =>
    expect(addressOf(request(socket, header))).toBe(expected),
  );

  test.each(["10.0.0.0/33", "nonsense", "10.0.0.0/8/8", "::1/129", "10.0.0.0/x", "/8", "10.0.0.0/-1"])(
    "%s in the setting: an error",
    (entry) => expect(() => createClientAddress([entry])).toThrow(entry),
  );

  test("any header from a socket that is not trusted changes nothing", () =>
    fc.assert(
      fc.property(fc.string(), (header) => behind(request("198.51.100.1", header)) === "198.51.100.1"),
    ));
});

describe("addressKey", () => {
  test.each([
    ["198.51.100.1", "198.51.100.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("%s counts as %s", (address, key) => expect(addressKey(address)).toBe(key));
});

describe("isCrossSiteWrite", () => {
  const own = "https://onboarding.example";
  const judge = (headers: Record<string, string>, method = "POST") => isCrossSiteWrite(method, headers, own);
  test.each<[string, Record<string, string>, boolean]>([
    ["nothing said", {}, false],
    ["same-origin", { "sec-fetch-site": "same-origin" }, false],
    ["none", { "sec-fetch-site": "none" }, false],
    ["same-site", { "sec-fetch-site": "same-site" }, true],
    ["cross-site", { "sec-fetch-site": "cross-site" }, true],
    ["an unknown site", { "sec-fetch-site": "elsewhere" }, true],
    ["own origin", { origin: own }, false],
    ["the origin of the host asked", { origin: "http://localhost:3000", host: "localhost:3000" }, false],
    ["another port of the host", { origin: "http://localhost:4000", host: "localhost:3000" }, true],
    ["null", { origin: "null" }, true],
    ["a name that begins alike", { origin: `${own}.evil.example` }, true],
    ["cross-site with our origin", { "sec-fetch-site": "cross-site", origin: own }, true],
  ])("%s: %s", (_name, headers, expected) => expect(judge(headers)).toBe(expected));
  test.each(["GET", "HEAD", "OPTIONS"])("%s is no write", (method) =>
    expect(judge({ "sec-fetch-site": "cross-site" }, method)).toBe(false),
  );
});

describe("createTrust", () => {
  const logger = createLogger({ logLevel: "silent", process: "gateway" });
  const trustOver = (answer: () => Promise<unknown>) =>
    createTrust({ call: answer as never, logger, metrics: createMetrics("test") });

  test("before anything is known, and while nobody answers: 503, not 401 and not a yes", async () => {
    const trust = trustOver(() => Promise.reject(new Error("away")));
    await expect(trust.keyOf("k")).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(() => trust.isCredentialRevoked("c")).toThrow(
      expect.objectContaining({ type: "Service.Unavailable" }),
    );
  });

  test("a view that nobody renews: is believed for a minute after it was asked for, then 503", async () => {
    jest.useFakeTimers();
    try {
      const slow = Promise.withResolvers<unknown>();
      const answers = [slow.promise];
      const trust = trustOver(() => answers.shift() ?? Promise.reject(new Error("away")));
      // The process is older than its view.
      await jest.advanceTimersByTimeAsync(30_000);
      const started = trust.start();
      await jest.advanceTimersByTimeAsync(1_500);
      slow.resolve({ keys: [], revokedCredentialIds: [], inactivePartnerIds: [] });
      await started;
      await jest.advanceTimersByTimeAsync(58_500);
      expect([trust.isCredentialRevoked("c"), trust.isPartnerInactive("p")]).toEqual([false, false]);
      await jest.advanceTimersByTimeAsync(1);
      const refused = expect.objectContaining({ type: "Service.Unavailable" });
      expect(() => trust.isCredentialRevoked("c")).toThrow(refused);
      expect(() => trust.isPartnerInactive("p")).toThrow(refused);
      trust.stop();
    } finally {
      jest.useRealTimers();
    }
  });

  test("many unknown key ids: one question for all who wait", async () => {
    let asked = 0;
    const trust = trustOver(async () => {
      asked += 1;
      return { keys: [], revokedCredentialIds: ["c"], inactivePartnerIds: ["p"] };
    });
    await trust.start();
    const found = await Promise.all(Array.from({ length: 200 }, (_, index) => trust.keyOf(`k${index}`)));
    expect(found.every((key) => key === null)).toBe(true);
    expect(asked).toBe(2);
    expect([
      trust.isCredentialRevoked("c"),
      trust.isPartnerInactive("p"),
      trust.isPartnerInactive("q"),
    ]).toEqual([true, true, false]);
    trust.stop();
  });
});
