/** A person with a second factor, as an authenticator app would serve one. */
import { setTimeout as sleep } from "node:timers/promises";
import { codeAt } from "../../../services/auth-token/session/totp.rules.ts";
import { ask } from "../http/ask.ts";
import { type Login, SESSION } from "./dashboard-client.ts";

export type Enrolled = Login & {
  /** The session in which the factor was set up. */
  cookie: string;
  /** The codes in turn: each is accepted once. */
  nextCode(): string;
  recoveryCodes: readonly string[];
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;
const MIN_LEFT_MS = 3_000;

/** The code that an authenticator shows for this key, with or without spaces. */
export function authenticatorCode(key: string, at = Date.now()): string {
  const bits = [...key.replaceAll(" ", "")]
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return codeAt(bytes, at);
}

/** Signs in and sets the factor up, as its role has to. */
export async function enrol(baseUrl: string, { email, password }: Login): Promise<Enrolled> {
  const post = async (path: string, body: unknown, cookie = "") => {
    const {
      status,
      headers,
      body: answer,
    } = await ask(baseUrl + SESSION + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(cookie ? { Cookie: cookie } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return { value: answer.value, cookie: headers.getSetCookie()[0]?.split(";")[0] ?? cookie };
  };
  const first = await post("", { email, password });
  const begun = await post("/second-factor", undefined, first.cookie);
  const { secret } = begun.value;
  // The step before the present one: two further codes can be used at once. Its code ends with the present step.
  const leftMs = STEP_MS - (Date.now() % STEP_MS);
  if (leftMs < MIN_LEFT_MS) await sleep(leftMs);
  let at = Date.now() - STEP_MS;
  const nextCode = () => {
    const code = authenticatorCode(secret, at);
    at += STEP_MS;
    return code;
  };
  const { value, cookie } = await post("/second-factor/confirm", { code: nextCode() }, begun.cookie);
  return { email, password, cookie, nextCode, recoveryCodes: value.recoveryCodes };
}
