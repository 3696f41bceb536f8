/** Summaries of a customer's files. */

import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { MissingDocument } from "../../../shared/contract/answers/verification.ts";
import type { DocumentStatus } from "../../../shared/contract/vocabularies.ts";
import type { Person, Profile } from "./profile.types.ts";

/** An identity names the document, and it does not exist yet. */
const MISSING = "Missing";

export const statusOfDocument = (documentId: string, documents: readonly DocumentSummary[]): DocumentStatus =>
  documents.find((document) => document.documentId === documentId)?.status ?? MISSING;

/** Identities whose file is missing, or which need a file and name none. */
export function missingDocuments({
  people,
  documents,
}: Pick<Profile, "people" | "documents">): MissingDocument[] {
  return people.flatMap((person) => (person.removedAt === null ? missingOf(person, documents) : []));
}

const missingOf = ({ uboId, identities }: Person, documents: readonly DocumentSummary[]): MissingDocument[] =>
  identities.flatMap(({ identityTypeCode, documentUploadId }) => {
    const status = documentUploadId === null ? MISSING : statusOfDocument(documentUploadId, documents);
    const isExpected = documentUploadId !== null || identityTypeCode === "OTHERS";
    return isExpected && status !== "Confirmed"
      ? [{ uboId, identityTypeCode, documentUploadId, status }]
      : [];
  });

/** Adds or replaces a document; the same list when nothing is new. */
export function withDocument(documents: DocumentSummary[], document: DocumentSummary): DocumentSummary[] {
  const known = documents.find(({ documentId }) => documentId === document.documentId);
  if (!known) return [...documents, document];
  if (!isNews(known, document)) return documents;
  return documents.map((other) => (other === known ? document : other));
}

/** Once confirmed, only the loss of the file and its return are news; late reports change nothing. */
function isNews(known: DocumentSummary, given: DocumentSummary): boolean {
  const isOther = known.status !== given.status || known.reason !== given.reason;
  if (known.confirmedAt === null) return isOther || known.uploadedAt !== given.uploadedAt;
  return isOther && (given.status === "Confirmed" || given.status === "Missing");
}

export const wasConfirmed = (documents: readonly DocumentSummary[], documentId: string): boolean =>
  documents.some((document) => document.documentId === documentId && document.confirmedAt !== null);

export const isConfirmed = (documents: readonly DocumentSummary[], documentId: string): boolean =>
  statusOfDocument(documentId, documents) === "Confirmed";
