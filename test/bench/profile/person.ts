/** People who look at the dashboard: a session each, as headers of their requests. */
import { randomBytes } from "node:crypto";
import type { AdminCall } from "../../../deploy/admin/command.ts";
import type { Goal } from "../frame/spec.ts";
import type { Filled } from "./many-profiles.ts";

/** All requests of a page together may take 1.3 times as long. */
export const LIST_PAGE_GOAL: Goal = { measure: "rate", atLeast: 1 / 1.3 };

export const ownerSession = (filled: Filled) =>
  sessionOf(filled, (call, login) =>
    call("auth-token.createUser", { ...login, partnerId: filled.partnerId, role: "Owner" }),
  );

export const analystSession = (filled: Filled) =>
  sessionOf(filled, (call, login) => call("auth-token.createAnalyst", login));

async function sessionOf(
  { url, admin }: Filled,
  create: (call: AdminCall, login: { email: string; password: string }) => Promise<unknown>,
): Promise<() => Promise<Record<string, string>>> {
  const login = {
    email: `${randomBytes(4).toString("hex")}@bench.example`,
    password: randomBytes(12).toString("base64url"),
  };
  await admin((call) => create(call, login));
  const answer = await fetch(`${url}/api/customer/v1/session`, {
    method: "POST",
    body: JSON.stringify(login),
    headers: { "Content-Type": "application/json" },
  });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  const Cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return async () => ({ Cookie });
}
