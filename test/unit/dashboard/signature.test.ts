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
  test("a signature of the delivery service is valid, also as the second of two and over a text that is not ASCII", async () => {
    const given = signed(BODY);
    const two = { ...given, signature: `v1,AAAA ${given.signature}` };
    for (const each of [given, two, signed('{"name":"Łódź ✓"}')])
      expect(await checkSignature(each, NOW_MS)).toEqual({ isValid: true, reasons: [] });
  });

  test.each([
    ["a body with white space around it", { body: ` ${BODY}\n` }, "white space"],
    ["a body written again", { body: JSON.stringify(JSON.parse(BODY), null, 2) }, "parsed and written again"],
    ["another body", { body: BODY.replace("1}", "2}") }, "does not match this body"],
    ["a body without its line break", { ...signed(`${BODY}\n`), body: BODY }, "A line break at the end"],
    ["a secret that lost a character", { secret: SECRET.replace(/.=$/, "=") }, "The secret is incomplete"],
    ["a secret without its end", { secret: SECRET.slice(0, -3) }, "The secret is incomplete"],
    [
      "a secret without its start",
      { secret: SECRET.replace(/^whsec_..../, "whsec_") },
      "The secret is incomplete",
    ],
    ["a secret of another alphabet", { secret: SECRET.replace(/.=$/, "-=") }, "The secret is incomplete"],
    ["another text as secret", { secret: "topsecret" }, "whsec_"],
    ["a timestamp that is no number", { timestamp: "yesterday" }, "whole seconds"],
    ["an older version", { signature: "v0,abc" }, "no signature of version v1"],
  ])("%s: invalid, with the reason", async (_what, changes, reason) => {
    const verdict = await checkSignature({ ...signed(BODY), ...changes }, NOW_MS);
    expect(verdict).toEqual({ isValid: false, reasons: [expect.stringContaining(reason)] });
  });

  test("an old timestamp: valid, and says that a receiver refuses it", async () => {
    const { isValid, reasons } = await checkSignature(signed(BODY, TIMESTAMP - 301), NOW_MS);
    expect(isValid).toBe(true);
    expect(reasons).toEqual([expect.stringContaining("301 s")]);
  });
});
