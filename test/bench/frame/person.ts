/** People who look at the dashboard: each signs in and is known by a cookie. */
import { randomBytes } from "node:crypto";
import type { AdminCall } from "../../../deploy/admin/command.ts";

/** What they look at. */
export type Place = {
  url: string;
  partnerId: string;
  admin<T>(work: (call: AdminCall) => Promise<T>): Promise<T>;
};

export type SignIn = (place: Place) => Promise<string>;

export const asOwner: SignIn = (place) =>
  cookieOf(place, (call, login) =>
    call("auth-token.createUser", { ...login, partnerId: place.partnerId, role: "Owner" }),
  );

export const asAnalyst: SignIn = (place) =>
  cookieOf(place, (call, login) => call("auth-token.createAnalyst", login));

async function cookieOf(
  { url, admin }: Place,
  create: (call: AdminCall, login: { email: string; password: string }) => Promise<unknown>,
): Promise<string> {
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
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
