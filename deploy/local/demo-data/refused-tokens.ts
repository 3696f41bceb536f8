/** Token requests that are refused, each for another reason. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import type { DemoData } from "../../lib/demo-data.ts";

type Mistakes = { audience?: string; agedSeconds?: number; key?: KeyObject };

const LIFETIME_SECONDS = 60;

export async function askWrongly(
  { tokenUrl, issuer }: DemoData,
  clientId: string,
  privateKeyPem: string,
): Promise<void> {
  const known = createPrivateKey(privateKeyPem);
  const assertion = ({ audience = issuer, agedSeconds = 0, key = known }: Mistakes = {}) => {
    const issuedAt = Math.floor(Date.now() / 1_000) - agedSeconds;
    return new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(key);
  };
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const good = await assertion();
  const assertions = [
    await assertion({ audience: "https://another.example" }),
    await assertion({ agedSeconds: 3_600 }),
    await assertion({ key: stranger }),
    good,
    // The first of these two is granted.
    good,
  ];
  for (const each of assertions)
    await fetch(tokenUrl, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: each,
      }),
    }).then((answer) => answer.body?.cancel());
}
