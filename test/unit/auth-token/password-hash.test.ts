import { describe, expect, test } from "@jest/globals";
import { type Asker, createPasswordHasher } from "../../../services/auth-token/account/password-hash.ts";

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

  test("more than 65 strangers at once: refused with 503, the others finish; newcomers and known people go before them", async () => {
    const light = createPasswordHasher(64);
    const order: string[] = [];
    const ask = (asker: Asker) => light.verify("x", null, asker).finally(() => order.push(asker));
    const strangers = Array.from({ length: 70 }, () => ask("stranger"));
    const others = (["newcomer", "known"] as const).flatMap((asker) =>
      Array.from({ length: 12 }, () => ask(asker)),
    );
    expect(await Promise.all(others)).toEqual(Array(24).fill(false));
    const results = await Promise.allSettled(strangers);
    // Five were refused before anything was hashed. While the others hash, strangers have one place of three.
    expect(order.slice(0, 5)).toEqual(Array(5).fill("stranger"));
    for (const asker of ["newcomer", "known"]) expect(order.lastIndexOf(asker)).toBeLessThan(5 + 24 + 33);
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(5);
    expect((refused[0] as PromiseRejectedResult).reason).toMatchObject({ type: "Service.Unavailable" });
  });

  test("a flood of newcomers leaves a place to people at networks that they signed in from", async () => {
    const light = createPasswordHasher(64);
    const order: string[] = [];
    const ask = (asker: Asker) => light.verify("x", null, asker).finally(() => order.push(asker));
    const flood = Array.from({ length: 80 }, () => ask("newcomer"));
    expect(await Promise.all(Array.from({ length: 8 }, () => ask("known")))).toEqual(Array(8).fill(false));
    const refused = (await Promise.allSettled(flood)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(80 - 2 - 64);
    expect(order.lastIndexOf("known")).toBeLessThan(14 + 8 + 33);
  });
});
