/** Clients as the token endpoint needs them, with parsed keys, cached for two seconds. */
import { X509Certificate } from "node:crypto";
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { Clock } from "../../../shared/clock.ts";
import { SCOPES, type Scope } from "../../../shared/identity/caller.ts";
import type { PartnerRepository } from "../account/partner.repository.ts";
import { type Certificate, publicKeyProblem } from "../credential/certificate.rules.ts";
import type { CredentialRepository } from "../credential/credential.repository.ts";
import type { ClientCertificate } from "./certificate-choice.rules.ts";

export type TokenClient = {
  clientId: string;
  credentialId: string;
  partnerId: string;
  isPartnerActive: boolean;
  isRevoked: boolean;
  scopes: readonly Scope[];
  isTest: boolean;
  /** Newest first. */
  certificates: readonly ClientCertificate[];
};

export type TokenClients = ReturnType<typeof createTokenClients>;

const MEMORY_MS = 2_000;
/** Unknown names are cached too, and an attacker can invent many. */
const MAX_REMEMBERED = 10_000;

type Deps = {
  clock: Clock;
  credentials: Pick<CredentialRepository, "findByClientId">;
  partners: Pick<PartnerRepository, "findById">;
};

export function createTokenClients({ clock, credentials, partners }: Deps) {
  const memory = new BoundedMap<string, { until: number; client: Promise<TokenClient | null> }>(
    MAX_REMEMBERED,
  );
  const parsed = new BoundedMap<string, ClientCertificate>(MAX_REMEMBERED);

  async function read(clientId: string): Promise<TokenClient | null> {
    const credential = await credentials.findByClientId(clientId);
    const partner = credential && (await partners.findById(credential.partnerId));
    if (!credential || !partner) return null;
    return {
      clientId,
      credentialId: credential._id,
      partnerId: partner._id,
      isPartnerActive: partner.active,
      isRevoked: credential.status === "Revoked",
      scopes: partner.scopes ?? SCOPES,
      isTest: partner.testOf !== undefined,
      certificates: credential.certificates.map(parseOnce).reverse(),
    };
  }

  function parseOnce(certificate: Certificate): ClientCertificate {
    const known = parsed.get(certificate.thumbprint);
    if (known) return known;
    const made = toClientCertificate(certificate);
    parsed.set(certificate.thumbprint, made);
    return made;
  }

  return {
    find(clientId: string): Promise<TokenClient | null> {
      const now = clock.now();
      const known = memory.get(clientId);
      if (known && known.until > now && known.until <= now + MEMORY_MS) return known.client;
      const client = read(clientId);
      memory.set(clientId, { until: now + MEMORY_MS, client });
      client.catch(() => memory.delete(clientId));
      return client;
    },
    /** Called after a change in this process; the caches of other replicas expire. */
    forget: () => memory.clear(),
  };
}

function toClientCertificate({ thumbprint, pem, notBefore, notAfter }: Certificate): ClientCertificate {
  const { publicKey } = new X509Certificate(pem);
  return {
    thumbprint,
    notBefore: notBefore.getTime(),
    notAfter: notAfter.getTime(),
    publicKey,
    keyProblem: publicKeyProblem(publicKey),
  };
}
