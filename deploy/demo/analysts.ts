/** Analysts review the demo customers through their own routes. */
import { type DashboardSession, type Login, signIn } from "../lib/dashboard-session.ts";
import { type Fate, fateOf, inTurn } from "./businesses.ts";

const cases = (customerId: string, step: string): string => `/compliance/v1/cases/${customerId}/${step}`;

const ASKED = {
  items: [
    {
      target: { kind: "Business", field: "website" },
      reasonCode: "Business.NameMismatch",
      message: "The website names another company. Please give the one your customers use.",
    },
    {
      target: { kind: "Business", field: "description" },
      reasonCode: "Business.SourceOfFundsUnclear",
      message: "Please say what is sold, and to whom.",
    },
  ],
};
const REJECTED = {
  reasons: [
    { code: "Business.NotFoundInRegistry", message: "The registry does not know this registration number." },
  ],
};
const STEPS: Readonly<Record<Fate, readonly [step: string, body: unknown] | null>> = {
  queued: null,
  claimed: null,
  changes: ["request-changes", ASKED],
  answered: ["request-changes", ASKED],
  approved: ["approve", { note: "Registry, owners and documents agree." }],
  rejected: ["reject", REJECTED],
};

/** `customerIds` by number, from 0 on; the analysts take turns. */
export async function review(
  baseUrl: string,
  analysts: readonly Login[],
  customerIds: readonly string[],
): Promise<void> {
  const sessions: DashboardSession[] = [];
  // In turn: the hashing of passwords has one slot for strangers.
  for (const analyst of analysts) sessions.push(await signIn(baseUrl, analyst));
  await inTurn(customerIds, async (customerId, number) => {
    const session = sessions[number % sessions.length];
    if (session) await decide(session, customerId, fateOf(number, customerIds.length));
  });
}

async function decide(session: DashboardSession, customerId: string, fate: Fate): Promise<void> {
  if (fate === "queued") return;
  await session.call("POST", cases(customerId, "claim"));
  const step = STEPS[fate];
  if (step) await session.call("POST", cases(customerId, step[0]), step[1]);
}
