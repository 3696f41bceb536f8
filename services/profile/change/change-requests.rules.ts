/** Which requests of the analyst a change answers. */

import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { ChangeRequest, ChangeTarget } from "../../../shared/contract/answers/verification.ts";
import type { TargetKind } from "../../../shared/contract/vocabularies.ts";
import { createSchema, identityProps, personProps } from "../input/profile.schemas.ts";

/** Changes of a write, as precisely as an analyst can request them. */
export type Changes = {
  /** Names of the create body. */
  fields: readonly string[];
  addedUboIds: readonly string[];
  removedUboIds: readonly string[];
  /** Changed fields of people who were there before. */
  people: ReadonlyMap<string, readonly string[]>;
  confirmed: readonly Pick<DocumentSummary, "documentId" | "documentCategory" | "uboId">[];
};

export const NO_CHANGES: Changes = {
  fields: [],
  addedUboIds: [],
  removedUboIds: [],
  people: new Map(),
  confirmed: [],
};

/** PUT and PATCH know some fields under other names. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: "companyName",
  businessEmail: "email",
  incorporationCountryCode: "incorporationCountryIso3Code",
  people: "businessPersonList",
};

const BUSINESS_NAMES = [
  ...Object.keys(createSchema).filter((field) => field !== "partnerCustomerId"),
  ...Object.keys(FIELD_NAMES),
];
const PERSON_NAMES = Object.keys(personProps);
/** Identities change as a whole; a field that is not stored cannot change. */
const IDENTITY_NAMES = [
  "identities",
  ...Object.keys(identityProps).filter((field) => field !== "idBackDocumentUploadId"),
];

/** Permitted field names of a request; no change would answer another name. */
export const TARGET_FIELDS: Readonly<Record<TargetKind, readonly string[]>> = {
  Business: BUSINESS_NAMES,
  Person: PERSON_NAMES,
  Identity: IDENTITY_NAMES,
  // A document answers whatever it is meant to prove.
  Document: [...new Set([...BUSINESS_NAMES, ...PERSON_NAMES, ...IDENTITY_NAMES])],
};

export function isAnswered(target: ChangeTarget, changes: Changes): boolean {
  if (target.documentCategory !== null && isDocumentThere(target, changes)) return true;
  switch (target.kind) {
    case "Business":
      return target.field === null
        ? changes.fields.length > 0
        : changes.fields.includes(FIELD_NAMES[target.field] ?? target.field);
    case "Person":
      return target.uboId === null
        ? changes.addedUboIds.length > 0
        : isPersonChanged(target.uboId, changes, target.field);
    case "Identity":
      return target.uboId === null
        ? changes.addedUboIds.length > 0 ||
            [...changes.people.values()].some((fields) => fields.includes("identities"))
        : isPersonChanged(target.uboId, changes, "identities");
    case "Document":
      return (
        target.documentCategory === null && changes.confirmed.some(({ uboId }) => uboId === target.uboId)
      );
  }
}

const isDocumentThere = ({ documentCategory, uboId }: ChangeTarget, { confirmed }: Changes): boolean =>
  confirmed.some(
    (document) =>
      document.documentCategory === documentCategory && (uboId === null || document.uboId === uboId),
  );

function isPersonChanged(uboId: string, changes: Changes, field: string | null): boolean {
  if (changes.removedUboIds.includes(uboId)) return true;
  const fields = changes.people.get(uboId);
  return fields !== undefined && (field === null || fields.includes(field));
}

export type Answered = { changeRequests: ChangeRequest[]; answered: number; openLeft: number };

export function answerRequests(requests: ChangeRequest[], changes: Changes, at: string): Answered {
  let answered = 0;
  const next = requests.map((request): ChangeRequest => {
    if (request.status !== "Open" || !isAnswered(request.target, changes)) return request;
    answered += 1;
    return { ...request, status: "Answered", respondedAt: at };
  });
  return { changeRequests: answered > 0 ? next : requests, answered, openLeft: countOpen(next) };
}

export const countOpen = (requests: readonly ChangeRequest[]): number =>
  requests.filter(({ status }) => status === "Open").length;
