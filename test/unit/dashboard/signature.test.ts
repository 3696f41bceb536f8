import { describe, expect, test } from "@jest/globals";
import { checkSignature } from "../../../gateway/dashboard/core/signature.ts";
import { sign } from "../../../services/delivery/send/signature.rules.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const NOW_MS = 1_760_000_000_000;
const TIMESTAMP = NOW_MS / 1_000;
const BODY = '{"eventId":"e-1","data":{"n":1}}';

const signed = (body: string, timestampSeconds = TIMESTAMP) => ({
  eventId: "e-1",
  timestamp: String(timestampSeconds),
  signature: `v1,${sign(SECRET, { eventId: "e-1", timestampSeconds, body: Buffer.from(body) })}`,
  secret: SECRET,
  body,
});

describe("checkSignature", () => {
  test("a signature of the delivery service is valid, also as the second of two", async () => {
    const given = signed(BODY);
    expect(await checkSignature(given, NOW_MS)).toEqual({ isValid: true, reasons: [] });
    const two = { ...given, signature: `v1,AAAA ${given.signature}` };
    expect(await checkSignature(two, NOW_MS)).toEqual({ isValid: true, reasons: [] });
  });

  test("a text that is not ASCII: valid", async () => {
    expect((await checkSignature(signed('{"name":"Łódź ✓"}'), NOW_MS)).isValid).toBe(true);
  });

  test.each([
    ["white space around it", ` ${BODY}\n`, "white space"],
    ["written anew", JSON.stringify(JSON.parse(BODY), null, 2), "parsed and written again"],
    ["another one", BODY.replace("1}", "2}"), "not over this body"],
  ])("a body that is %s: invalid, and says what differs", async (_what, body, reason) => {
    const verdict = await checkSignature({ ...signed(BODY), body }, NOW_MS);
    expect(verdict.isValid).toBe(false);
    expect(verdict.reasons.join()).toContain(reason);
  });

  test.each([
    ["that lost a character", SECRET.replace(/.=$/, "=")],
    ["without its end", SECRET.slice(0, -3)],
    ["whose first characters are missing", SECRET.replace(/^whsec_..../, "whsec_")],
    ["with a character of another alphabet", SECRET.replace(/.=$/, "-=")],
  ])("a secret %s: named as damaged", async (_what, secret) => {
    const { isValid, reasons } = await checkSignature({ ...signed(BODY), secret }, NOW_MS);
    expect(isValid).toBe(false);
    expect(reasons.join()).toContain("The secret is damaged");
  });

  test("signed with its line break: invalid without it", async () => {
    const verdict = await checkSignature({ ...signed(`${BODY}\n`), body: BODY }, NOW_MS);
    expect(verdict).toEqual({ isValid: false, reasons: ["A line break at the end of the body is missing."] });
  });

  test("an old timestamp: valid, and says that a receiver refuses it", async () => {
    const { isValid, reasons } = await checkSignature(signed(BODY, TIMESTAMP - 301), NOW_MS);
    expect(isValid).toBe(true);
    expect(reasons).toEqual([expect.stringContaining("301 s off")]);
  });

  test.each([
    [{ secret: "topsecret" }, "whsec_"],
    [{ timestamp: "yesterday" }, "whole seconds"],
    [{ signature: "v0,abc" }, "no signature of version v1"],
  ])("%j: refused with the reason", async (changes, reason) => {
    const verdict = await checkSignature({ ...signed(BODY), ...changes }, NOW_MS);
    expect(verdict).toEqual({ isValid: false, reasons: [expect.stringContaining(reason)] });
  });
});
