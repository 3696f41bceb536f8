/** Keys and certificates of partners, made once for the whole run: an RSA key takes longer than most tests. */
import { createPrivateKey } from "node:crypto";
import type { PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { processEnv } from "../../../shared/config/config.ts";
import { TEST_SERVER_VARIABLES } from "./servers.ts";

type Pems = Pick<PartnerKeys, "privateKeyPem" | "certificatePem">;

let taken = 0;

/** Other keys than the last ones of this file, but not new ones: a test about keys makes its own. */
export function nextPartnerKeys(): PartnerKeys {
  const pool = JSON.parse(processEnv()[TEST_SERVER_VARIABLES.partnerKeys] ?? "[]") as Pems[];
  const pems = pool[taken % pool.length];
  if (!pems) throw new Error("no partner keys: this test belongs in a jest project with globalSetup");
  taken += 1;
  return { ...pems, privateKey: createPrivateKey(pems.privateKeyPem) };
}
