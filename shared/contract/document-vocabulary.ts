/** The closed lists about documents that the document and the profile service share, in their wire spelling. */

export const BUSINESS_DOCUMENT_CATEGORIES = [
  "CertificateOfIncorporation",
  "MemorandumAndArticles",
  "BusinessLicense",
  "ProofOfBusinessAddress",
  "ShareholderRegister",
  "DirectorRegister",
  "OwnershipStructure",
  "TaxCertificate",
  "BankStatement",
  "FinancialStatement",
  "SourceOfFundsProof",
  "BoardResolution",
  "RegulatoryLicense",
  "AmlPolicy",
  "Other",
] as const;

/** These belong to one person of the business. */
export const PERSON_DOCUMENT_CATEGORIES = [
  "IdentityFront",
  "IdentityBack",
  "ProofOfAddress",
  "Selfie",
  "SourceOfWealthProof",
] as const;

export const DOCUMENT_CATEGORIES = [...BUSINESS_DOCUMENT_CATEGORIES, ...PERSON_DOCUMENT_CATEGORIES] as const;
export type DocumentCategory = (typeof DOCUMENT_CATEGORIES)[number];

export const CONTENT_TYPES = ["application/pdf", "image/jpeg", "image/png"] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/**
 * Expired is not final: storage refuses late uploads itself, so a file that turns up was sent in time.
 * Missing: the document was confirmed and its file is no longer in storage.
 */
export type DocumentStatus =
  | "AwaitingUpload"
  | "Confirmed"
  | "Rejected"
  | "Superseded"
  | "Expired"
  | "Missing";

/** Mismatch: not the size or the SHA-256 that its link was asked for. */
export type RejectionReason = "WrongType" | "TooLarge" | "Empty" | "Mismatch" | "Malware";
export type MissingReason = "Deleted" | "Overwritten";
