import { describe, expect, test } from "@jest/globals";
import { login } from "../../../services/auth-token/session/login.ts";
import { networkHash } from "../../../services/auth-token/session/login-throttle.rules.ts";

type Counts = { tries?: (key: string) => number; knownAddresses?: string[] };

/** Each try is counted and refused, whether the account exists or not. */
async function triedKeys(email: string, { tries = () => 1, knownAddresses }: Counts = {}) {
  const counted: string[] = [];
  const lookedFor: string[] = [];
  const askers: string[] = [];
  const deps = {
    clock: { now: () => 0 },
    users: {
      findByEmail: async (address: string) => {
        lookedFor.push(address);
        return knownAddresses ? { passwordHash: "hash", knownAddresses } : null;
      },
    },
    throttles: {
      countTry: async (key: string) => {
        counted.push(key);
        return { wait: 0, tries: tries(key) };
      },
    },
    hasher: {
      async verify(_password: string, _stored: string | null, asker: string) {
        askers.push(asker);
        return false;
      },
    },
    mutex: (_key: string, work: () => Promise<unknown>) => work(),
  } as unknown as Parameters<typeof login>[0];
  const attempt = { email, password: "p", address: "198.51.100.1", code: null };
  await expect(login(deps, {}, { ...attempt, formerSessionId: null, userAgent: null })).rejects.toMatchObject(
    { type: "Session.InvalidCredentials" },
  );
  return { counted, lookedFor, askers };
}

test("an email in other letters is the same person: looked for and counted as one", async () => {
  expect(await triedKeys("Owner@Partner.Example")).toEqual(await triedKeys("owner@partner.example"));
});

describe("the place of a sign-in among the hashes", () => {
  const email = "owner@partner.example";
  const of = (begin: string, count: number) => (key: string) => (key.startsWith(begin) ? count : 1);

  test.each<[string, Counts, string]>([
    ["the first try of an account and a network", {}, "newcomer"],
    ["the second try of both", { tries: () => 2 }, "newcomer"],
    ["a network with three tries lately", { tries: of("address", 3) }, "stranger"],
    ["an account with three tries lately", { tries: of("account", 3) }, "stranger"],
  ])("%s: the same with an account and without", async (_, counts, asker) => {
    const without = await triedKeys(email, counts);
    const withAccount = await triedKeys(email, { ...counts, knownAddresses: [] });
    expect([without.askers, withAccount.askers]).toEqual([[asker], [asker]]);
  });

  test("a network that the person signed in from: known, whatever was tried elsewhere", async () => {
    const knownAddresses = [networkHash("198.51.100.1")];
    const { askers } = await triedKeys(email, { tries: of("account", 60), knownAddresses });
    expect(askers).toEqual(["known"]);
  });
});
