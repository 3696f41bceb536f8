import { describe, expect, test } from "@jest/globals";
import { createPasswordHasher } from "../../../services/auth-token/account/password-hash.ts";

describe("createPasswordHasher", () => {
  const hasher = createPasswordHasher(19_456);

  test("a hash verifies its own password and no other", async () => {
    const stored = await hasher.hash("tulip sandwich gravel");
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify("tulip sandwich gravel", stored)).toBe(true);
    expect(await hasher.verify("tulip sandwich gravel ", stored)).toBe(false);
  });

  test("a missing hash is never right, whatever the password", async () => {
    for (const password of ["", "tulip sandwich gravel"])
      expect(await hasher.verify(password, null)).toBe(false);
  });

  test("the published vector of another implementation verifies", async () => {
    // From the tests of the reference implementation in C: t=2, m=2^16, p=1, "password", "somesalt".
    const stored = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await hasher.verify("password", stored)).toBe(true);
    expect(await hasher.verify("Password", stored)).toBe(false);
    expect(hasher.isOutdated(stored)).toBe(true);
  });

  test("a damaged hash is an error, not a yes", async () => {
    await expect(hasher.verify("x", "$argon2id$v=19$nonsense")).rejects.toThrow("damaged");
  });

  test("more than 66 at once: refused with 503, the others finish", async () => {
    const results = await Promise.allSettled(Array.from({ length: 70 }, () => hasher.verify("x", null)));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(4);
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ type: "Service.Unavailable" });
  });
});
