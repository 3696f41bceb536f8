/** What a profile knows about the files of its customer. */
import type { DocumentSummary, Person, Profile } from "./profile.types.ts";

/** A named document that does not exist yet. */
const MISSING = "Missing";

export const statusOfDocument = (documentId: string, documents: readonly DocumentSummary[]): string =>
  documents.find((document) => document.documentId === documentId)?.status ?? MISSING;

export type MissingDocument = {
  uboId: string;
  identityTypeCode: string;
  documentUploadId: string | null;
  status: string;
};

/** Identities whose file is named but not there, or which should have one and name none. */
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

/** Adds a document or replaces what was known of it; the same list when nothing is new. */
export function withDocument(documents: DocumentSummary[], document: DocumentSummary): DocumentSummary[] {
  const known = documents.find(({ documentId }) => documentId === document.documentId);
  if (!known) return [...documents, document];
  // A confirmation is final: a notice that comes late changes nothing.
  if (known.status === "Confirmed" || known.status === document.status) return documents;
  return documents.map((other) => (other === known ? document : other));
}

export const isConfirmed = (documents: readonly DocumentSummary[], documentId: string): boolean =>
  documents.some((document) => document.documentId === documentId && document.status === "Confirmed");
