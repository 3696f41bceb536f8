/** Hands out a link to upload one file: one signature, one write. */
import type { Clock } from "../../shared/clock.ts";
import { AppError, errorCode, type Violation } from "../../shared/errors.ts";
import { idOfCall, isUuid, timeOfId } from "../../shared/ids.ts";
import { compileCheck } from "../../shared/validation.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { type ContentType, type DocumentCategory, type DocumentRecord, objectKey } from "./document.rules.ts";
import { uploadLinkBody } from "./document.schemas.ts";
import {
  describeLink,
  holderOf,
  holderProblems,
  invalidLinkRequest,
  LINK_SECONDS,
  MOST_LINKS,
  tooManyLinks,
  type UploadLink,
} from "./link.rules.ts";
import { nextLookAt } from "./schedule.rules.ts";
import type { Storage } from "./storage.ts";

export type LinkRequest = {
  customerId: string;
  partnerId: string;
  body: unknown;
  /** The same when one request is tried again, so that it makes one document. */
  callId: string | null;
  requestId: string;
  traceparent: string;
};

type LinkBody = {
  documentCategory: DocumentCategory;
  contentType: ContentType;
  uboId?: string | null;
  ownershipDetailId?: string | null;
};

type Customer = { customerId: string; partnerId: string; uboId: string | null };

export type LinkDeps = {
  repository: Pick<DocumentRepository, "insert" | "countOfCustomer">;
  storage: Pick<Storage, "signUpload">;
  /** Fails when storage is away: signing needs no network and would not notice. */
  storageAnswers(): Promise<void>;
  /** Fails when this customer may not get documents now, or does not have this person. */
  customerForUpload(customer: Customer): Promise<unknown>;
  clock: Clock;
  firstLookMs: number;
};

const checkBody = compileCheck(uploadLinkBody, "ValidationControl.Error");

export async function createUploadLink(deps: LinkDeps, request: LinkRequest): Promise<UploadLink> {
  const { partnerId } = request;
  if (!isUuid(request.customerId))
    throw new AppError("Customer.NotFound", "There is no customer with this id.");
  const customerId = request.customerId.toLowerCase();
  const violations = problemsOf(request.body);
  if (violations.length > 0) {
    await refuseStranger(deps, { customerId, partnerId, uboId: null });
    throw invalidLinkRequest(violations);
  }

  const body = request.body as LinkBody;
  const { documentCategory, contentType } = body;
  const uboId = holderOf(body);
  // Asked already now, so that the answer is there when it is needed.
  deps.storageAnswers().catch(() => undefined);
  await deps.customerForUpload({ customerId, partnerId, uboId });
  const [linksBefore] = await Promise.all([
    deps.repository.countOfCustomer(customerId, MOST_LINKS),
    deps.storageAnswers(),
  ]);
  if (linksBefore >= MOST_LINKS) throw tooManyLinks();

  const documentId = idOfCall(request.callId, deps.clock.now());
  const { requestId, traceparent } = request;
  const owner = { partnerId, customerId, uboId };
  const record = newDocument(
    documentId,
    { ...owner, documentCategory, contentType, requestId, traceparent },
    deps.firstLookMs,
  );
  const uploadUrl = await deps.storage.signUpload(record.objectKey, record.contentType, record.createdAt);
  await deps.repository.insert(record);
  return describeLink(record, uploadUrl);
}

function problemsOf(body: unknown): Violation[] {
  const violations = checkBody(body);
  const named = new Set(violations.map(({ field }) => field));
  const others = isObject(body) ? holderProblems(body).filter(({ field }) => !named.has(field)) : [];
  return [...violations, ...others];
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  body !== null && typeof body === "object" && !Array.isArray(body);

/** Whose customer it is comes before what is wrong with the body; whether it is locked comes after. */
async function refuseStranger(deps: LinkDeps, customer: Customer): Promise<void> {
  const LATER = ["Customer.UnderReview", "Customer.VerificationClosed"];
  await deps.customerForUpload(customer).catch((error: unknown) => {
    if (!LATER.includes(errorCode(error) ?? "")) throw error;
  });
}

type NewDocument = Pick<
  DocumentRecord,
  "customerId" | "partnerId" | "uboId" | "documentCategory" | "contentType" | "requestId" | "traceparent"
>;

function newDocument(documentId: string, given: NewDocument, firstLookMs: number): DocumentRecord {
  const createdAt = new Date(timeOfId(documentId));
  // A signature counts in whole seconds.
  const expiresAt = new Date((Math.floor(createdAt.getTime() / 1_000) + LINK_SECONDS) * 1_000);
  const { partnerId, customerId, uboId, documentCategory, contentType, requestId, traceparent } = given;
  return {
    _id: documentId,
    partnerId,
    customerId,
    uboId,
    documentCategory,
    contentType,
    objectKey: objectKey({ partnerId, customerId, uboId, documentId, documentCategory, contentType }),
    status: "AwaitingUpload",
    reason: null,
    sizeBytes: null,
    sha256: null,
    etag: null,
    versionId: null,
    uploadedAt: null,
    confirmedAt: null,
    overwrittenAt: null,
    createdAt,
    expiresAt,
    revision: 1,
    announcePending: false,
    dueAt: nextLookAt({ createdAt, expiresAt }, createdAt, firstLookMs),
    requestId,
    traceparent,
  };
}
