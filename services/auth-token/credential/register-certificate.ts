/** The operator's way to put a certificate in place: makes the API client, or adds to the one in force. */
import { addCertificate, type ChangeCredentialDeps, createCredential } from "./change-credential.ts";
import type { Credential } from "./credential.model.ts";

export async function registerCertificate(
  deps: ChangeCredentialDeps,
  partnerId: string,
  pem: unknown,
): Promise<Credential> {
  const inForce = (await deps.credentials.listOfPartner(partnerId)).find(({ status }) => status === "Active");
  return inForce ? addCertificate(deps, partnerId, inForce._id, pem) : createCredential(deps, partnerId, pem);
}
