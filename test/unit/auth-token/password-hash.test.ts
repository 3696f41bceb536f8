import { describe, expect, test } from "@jest/globals";
import { createPasswordHasher } from "../../../services/auth-token/account/password-hash.ts";

describe("createPasswordHasher", () => {
  const hasher = createPasswordHasher(19_456);

  test("a hash verifies its own password and no other", async () => {
    const stored = await hasher.hash("tulip sandwich gravel");
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify("tulip sandwich gravel", stored, "known")).toBe(true);
    expect(await hasher.verify("tulip sandwich gravel ", stored, "stranger")).toBe(false);
  });

  test("a missing hash is never right, whatever the password", async () => {
    for (const password of ["", "tulip sandwich gravel"])
      expect(await hasher.verify(password, null, "known")).toBe(false);
  });

  test("the published vector of another implementation verifies", async () => {
    // From the tests of the reference implementation in C: t=2, m=2^16, p=1, "password", "somesalt".
    const stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await hasher.verify("password", stored, "known")).toBe(true);
    expect(await hasher.verify("Password", stored, "known")).toBe(false);
    expect(hasher.isOutdated(stored)).toBe(true);
  });

  test("a damaged hash is an error, not a yes", async () => {
    await expect(hasher.verify("x", "$argon2id$v=19$nonsense", "known")).rejects.toThrow("damaged");
  });

  test("more than 66 strangers at once: refused with 503, the others finish; known people go before them", async () => {
    const light = createPasswordHasher(64);
    const order: string[] = [];
    const ask = (asker: "known" | "stranger") =>
      light.verify("x", null, asker).finally(() => order.push(asker));
    const strangers = Array.from({ length: 70 }, () => ask("stranger"));
    const known = Array.from({ length: 12 }, () => ask("known"));
    expect(await Promise.all(known)).toEqual(Array(12).fill(false));
    const results = await Promise.allSettled(strangers);
    // Four were refused before anything was hashed. The known come before the strangers that wait; the last of them may
    // take its time while a few strangers end, but without their right of way all 66 would.
    expect(order.slice(0, 4)).toEqual(Array(4).fill("stranger"));
    expect(order.lastIndexOf("known")).toBeLessThan(4 + 12 + 33);
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(4);
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ type: "Service.Unavailable" });
  });
});
