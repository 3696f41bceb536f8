import { expect, test } from "@jest/globals";
import { login } from "../../../services/auth-token/session/login.ts";

/** Nobody is known here: each try is counted and refused. */
async function triedKeys(email: string) {
  const counted: string[] = [];
  const lookedFor: string[] = [];
  const deps = {
    clock: { now: () => 0 },
    users: {
      findByEmail: async (address: string) => {
        lookedFor.push(address);
        return null;
      },
    },
    throttles: {
      countTry: async (key: string) => {
        counted.push(key);
        return { wait: 0, tries: 1 };
      },
    },
    hasher: { verify: async () => false },
    mutex: (_key: string, work: () => Promise<unknown>) => work(),
  } as unknown as Parameters<typeof login>[0];
  const attempt = { email, password: "p", address: "198.51.100.1", code: null };
  await expect(login(deps, {}, { ...attempt, formerSessionId: null, userAgent: null })).rejects.toMatchObject(
    { type: "Session.InvalidCredentials" },
  );
  return { counted, lookedFor };
}

test("an email in other letters is the same person: looked for and counted as one", async () => {
  expect(await triedKeys("Owner@Partner.Example")).toEqual(await triedKeys("owner@partner.example"));
});
