import { describe, expect, test } from "@jest/globals";
import {
  MAX_SECRETS,
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

  const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);
  const endOf = (minute: number) => new Date(at(minute).getTime() + DAY_MS);
  const rotated = (secrets: readonly StoredSecret[] | null, id: string, minute: number) =>
    rotate(secrets ?? [], aSecret(id), at(minute));

  test("inside the overlap nobody is cut off: each one ends a day after it was replaced itself", () => {
    const once = rotated([aSecret("a")], "b", 0);
    expect(rotated(once, "c", 1)).toEqual([aSecret("c"), aSecret("b", endOf(1)), aSecret("a", endOf(0))]);
  });

  test("five at a time are in force; one more is refused until the first has ended", () => {
    const five = ["b", "c", "d", "e"].reduce<readonly StoredSecret[] | null>(
      (secrets, id, minute) => rotated(secrets, id, minute),
      [aSecret("a")],
    );
    expect(five).toHaveLength(MAX_SECRETS);
    expect(rotate(five ?? [], aSecret("f"), new Date(endOf(0).getTime() - 1))).toBeNull();
    const ids = rotate(five ?? [], aSecret("f"), endOf(0))?.map(({ id }) => id);
    expect(ids).toEqual(["f", "e", "d", "c", "b"]);
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
