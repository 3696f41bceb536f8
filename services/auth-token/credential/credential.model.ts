/** API clients of partners, with their certificates and their latest refused token requests. */
import { Schema } from "mongoose";
import type { CredentialStatus } from "../../../shared/contract/answers/credential.ts";
import type { Certificate } from "./certificate.rules.ts";

/** A refused token request; only the partner sees the reason. */
export type TokenFailure = { at: Date; reason: string; message: string; requestId: string };

type RemovedCertificate = { thumbprint: string; at: Date };

export type Credential = {
  _id: string;
  partnerId: string;
  clientId: string;
  status: CredentialStatus;
  createdAt: Date;
  revokedAt: Date | null;
  certificates: Certificate[];
  /** Kept for longer than a token that was issued for them can live. */
  removedCertificates?: RemovedCertificate[];
  recentFailures: TokenFailure[];
  /** Raised by every change of the certificates or the status, not by failures. */
  version: number;
};

/** Without the failures, which only their own list needs. */
export type CredentialFacts = Omit<Credential, "recentFailures">;

const text = { type: String, required: true };
const date = { type: Date, required: true };

const PART = { _id: false, strict: "throw" } as const;
const certificate = new Schema<Certificate>(
  { thumbprint: text, subject: String, notBefore: date, notAfter: date, pem: text },
  PART,
);
const removed = new Schema<RemovedCertificate>({ thumbprint: text, at: date }, PART);
const failure = new Schema<TokenFailure>({ at: date, reason: text, message: text, requestId: String }, PART);

export const credentialSchema = new Schema<Credential>(
  {
    _id: text,
    partnerId: text,
    clientId: text,
    status: text,
    createdAt: date,
    revokedAt: { type: Date, default: null },
    certificates: [certificate],
    removedCertificates: { type: [removed], default: undefined },
    recentFailures: [failure],
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: "throw" },
);
