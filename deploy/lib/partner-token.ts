/** An access token for a demo partner, got as a partner's machine gets one: a signed assertion, exchanged once. */
import { readFileSync } from "node:fs";
import { importPKCS8, SignJWT } from "jose";
import type { DemoPartner } from "./demo-accounts.ts";
import type { DemoData } from "./demo-data.ts";

type TokenAnswer = { access_token: string; token_type: string; expires_in: number; scope: string };

const ALGORITHM = "RS256";
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ANSWER_WITHIN_MS = 15_000;

export async function requestToken(
  { issuer, tokenUrl }: DemoData,
  { clientId, privateKeyFile }: DemoPartner,
): Promise<TokenAnswer> {
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime("2m")
    .setJti(crypto.randomUUID())
    .sign(await importPKCS8(readFileSync(privateKeyFile, "utf8"), ALGORITHM));
  const response = await fetch(tokenUrl, {
    method: "POST",
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    }),
  });
  if (!response.ok) throw new Error(`${tokenUrl} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as TokenAnswer;
}
