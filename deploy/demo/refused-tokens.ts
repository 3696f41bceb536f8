/** Token requests that are refused, each for a different reason. */
import { createPrivateKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import type { DemoData } from "../lib/demo-data.ts";

const LIFETIME_SECONDS = 60;

export async function askWrongly(
  { tokenUrl, issuer }: DemoData,
  clientId: string,
  privateKeyPem: string,
): Promise<void> {
  const own = createPrivateKey(privateKeyPem);
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const now = Math.floor(Date.now() / 1_000);
  const assertion = (audience = issuer, issuedAt = now, key = own) =>
    new SignJWT({ jti: randomUUID(), iss: clientId, sub: clientId, aud: audience })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(key);
  const good = await assertion();
  const wrong = [
    assertion("https://another.example"),
    assertion(issuer, now - 3_600),
    assertion(issuer, now, stranger),
  ];
  // The good assertion is granted once; its second use is refused.
  for (const client_assertion of [...(await Promise.all(wrong)), good, good]) {
    const answer = await fetch(tokenUrl, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion,
      }),
    });
    await answer.body?.cancel();
  }
}
