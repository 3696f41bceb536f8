import { describe, expect, test } from "@jest/globals";
import {
  rotate,
  type StoredSecret,
  secretText,
  withoutExpired,
} from "../../../services/webhook-registry/secret.rules.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");
const DAY_MS = 86_400_000;
const aSecret = (id: string, notAfter: Date | null = null): StoredSecret => ({
  id,
  sealed: `sealed-${id}`,
  createdAt: NOW,
  notAfter,
});

describe("secretText", () => {
  test("is whsec_ and the base64 of 32 bytes", () => {
    expect(secretText(Buffer.alloc(32, 255))).toBe("whsec_//////////////////////////////////////////8=");
    expect(() => secretText(Buffer.alloc(31))).toThrow("32 bytes");
  });
});

describe("rotate", () => {
  test("without a secret in force: only the new one", () => {
    expect(rotate([], aSecret("a"), NOW)).toEqual([aSecret("a")]);
  });

  test("the new one comes first, the one in force ends after 24 hours", () => {
    expect(rotate([aSecret("a")], aSecret("b"), NOW)).toEqual([
      aSecret("b"),
      aSecret("a", new Date(NOW.getTime() + DAY_MS)),
    ]);
  });

  test("inside the overlap the oldest is dropped and the overlap begins anew", () => {
    const once = rotate([aSecret("a")], aSecret("b"), NOW);
    const later = new Date(NOW.getTime() + 60_000);
    expect(rotate(once, aSecret("c"), later)).toEqual([
      aSecret("c"),
      aSecret("b", new Date(later.getTime() + DAY_MS)),
    ]);
  });
});

describe("withoutExpired", () => {
  test("keeps what is in force until the moment it ends", () => {
    const previous = aSecret("a", new Date(NOW.getTime() + DAY_MS));
    const secrets = [aSecret("b"), previous];
    expect(withoutExpired(secrets, new Date(NOW.getTime() + DAY_MS - 1))).toEqual(secrets);
    expect(withoutExpired(secrets, new Date(NOW.getTime() + DAY_MS))).toEqual([aSecret("b")]);
  });
});
