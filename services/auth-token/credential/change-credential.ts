/** Changes a partner's API client by compare-and-set: concurrent changes both apply, or one is refused. */
import { AppError } from "../../../shared/errors.ts";
import { orderedId } from "../../../shared/ids.ts";
import { isDuplicateKey } from "../../../shared/mongo/mongo.ts";
import type { Deps } from "../deps.ts";
import { readCertificate } from "./certificate.rules.ts";
import type { Credential } from "./credential.model.ts";
import type { CredentialChange } from "./credential.repository.ts";

/** The certificate in use and its successor. */
const MAX_CERTIFICATES = 2;
const MAX_CONFLICTS = 5;
/** Longer than a token lives. */
const REMEMBERED_MS = 15 * 60_000;

export async function createCredential(
  { clock, credentials, partners }: Deps,
  partnerId: string,
  pem: unknown,
): Promise<Credential> {
  const partner = await partners.findById(partnerId);
  if (!partner) throw new AppError("Partner.NotFound", "There is no partner with this id.");
  const now = clock.now();
  const credential: Credential = {
    _id: orderedId(now),
    partnerId,
    clientId: partner.clientId,
    status: "Active",
    createdAt: new Date(now),
    revokedAt: null,
    certificates: [readCertificate(pem, now)],
    recentFailures: [],
    version: 1,
  };
  try {
    await credentials.insert(credential);
    return credential;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new AppError(
      "ApiCredential.Exists",
      "The partner has an API client in force; add a certificate to it or revoke it first.",
    );
  }
}

/** For the operator: adds to the active API client, or creates the client. */
export async function registerCertificate(deps: Deps, partnerId: string, pem: unknown): Promise<Credential> {
  const inForce = (await deps.credentials.listOfPartner(partnerId)).find(({ status }) => status === "Active");
  return inForce ? addCertificate(deps, partnerId, inForce._id, pem) : createCredential(deps, partnerId, pem);
}

export function addCertificate(
  deps: Deps,
  partnerId: string,
  credentialId: string,
  pem: unknown,
): Promise<Credential> {
  const now = deps.clock.now();
  return change(deps, partnerId, credentialId, (credential) => {
    mustBeActive(credential);
    const added = readCertificate(pem, now);
    if (credential.certificates.some(({ thumbprint }) => thumbprint === added.thumbprint)) return null;
    const inForce = credential.certificates.filter(({ notAfter }) => notAfter.getTime() > now);
    if (inForce.length >= MAX_CERTIFICATES)
      throw new AppError(
        "Certificate.LimitReached",
        `At most ${MAX_CERTIFICATES} certificates are in force at the same time; remove one first.`,
      );
    const removed = credential.removedCertificates ?? [];
    return {
      certificates: [...inForce, added],
      removedCertificates: removed.filter(({ thumbprint }) => thumbprint !== added.thumbprint),
    };
  });
}

export const removeCertificate = (
  deps: Deps,
  partnerId: string,
  credentialId: string,
  thumbprint: string,
): Promise<Credential> =>
  change(deps, partnerId, credentialId, ({ certificates, removedCertificates = [] }) => {
    const now = deps.clock.now();
    const kept = certificates.filter((each) => each.thumbprint !== thumbprint);
    if (kept.length === certificates.length)
      throw new AppError("Certificate.NotFound", "The API client has no certificate with this thumbprint.");
    const recent = removedCertificates.filter(({ at }) => at.getTime() > now - REMEMBERED_MS);
    return { certificates: kept, removedCertificates: [...recent, { thumbprint, at: new Date(now) }] };
  });

/** Revoking again changes nothing. */
export const revokeCredential = (deps: Deps, partnerId: string, credentialId: string): Promise<Credential> =>
  change(deps, partnerId, credentialId, ({ status }) =>
    status === "Revoked" ? null : { status: "Revoked", revokedAt: new Date(deps.clock.now()) },
  );

async function change(
  { credentials }: Deps,
  partnerId: string,
  credentialId: string,
  decide: (credential: Credential) => CredentialChange | null,
): Promise<Credential> {
  for (let conflict = 0; conflict < MAX_CONFLICTS; conflict += 1) {
    const credential = await credentials.findOfPartner(partnerId, credentialId);
    if (!credential)
      throw new AppError("ApiCredential.NotFound", "The partner has no API client with this id.");
    const decided = decide(credential);
    if (!decided) return credential;
    const changed = await credentials.replaceIfUnchanged(credential, decided);
    if (changed) return changed;
  }
  throw new AppError("Service.Unavailable", "Others change this API client at the moment; try again.", {
    retryAfterSeconds: 1,
  });
}

function mustBeActive({ status }: Credential): void {
  if (status !== "Active")
    throw new AppError("ApiCredential.NotFound", "The API client was revoked; make a new one.");
}
