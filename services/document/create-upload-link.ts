/** Hands out a link to upload one file: one signature, one write. */

import type { Clock } from "../../shared/clock.ts";
import type { UploadQuestion } from "../../shared/contract/actions/profile.ts";
import type { UploadLink } from "../../shared/contract/answers/document.ts";
import { UPLOAD_LINK_SECONDS } from "../../shared/contract/durations.ts";
import type { ContentType, DocumentCategory } from "../../shared/contract/vocabularies.ts";
import { AppError, asViolation, errorCode, type Violation } from "../../shared/errors.ts";
import { fingerprintOf } from "../../shared/idempotency.rules.ts";
import { idOfCall, isUuid, timeOfId } from "../../shared/ids.ts";
import { compileUnknown } from "../../shared/input/unknown-properties.rules.ts";
import { compileCheck } from "../../shared/input/validation.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { type DocumentRecord, type Owner, objectKey } from "./document.rules.ts";
import { uploadLinkBody } from "./document.schemas.ts";
import {
  describeLink,
  holderOf,
  holderProblems,
  holderWarnings,
  invalidLinkRequest,
  MAX_LINKS,
  tooManyLinks,
  uploadHeaders,
} from "./link.rules.ts";
import { type Looks, nextLookAt } from "./schedule.rules.ts";
import type { Storage } from "./storage/storage.ts";

type LinkRequest = {
  customerId: string;
  partnerId: string;
  body: unknown;
  idempotencyKey: string | null;
  /** Whatever would be a warning is refused. */
  isStrict: boolean;
  /** The same when one request is tried again, so that it makes one document. */
  callId: string | null;
  requestId: string;
  traceparent: string;
};

type LinkBody = {
  documentCategory: DocumentCategory;
  contentType: ContentType;
  uboId?: string | null;
  sizeBytes?: number | null;
  sha256?: string | null;
  ownershipDetailId?: string | null;
};

type LinkDeps = {
  repository: Pick<DocumentRepository, "insert" | "countOfCustomer" | "find">;
  storage: Pick<Storage, "signUpload">;
  /** Fails when storage is away: signing needs no network and would not notice. */
  storageAnswers(): Promise<void>;
  /**
   * Fails when this customer may not get documents now, or does not have this person. The document that the request's key
   * names: the one of the question, or of the first request with this key.
   */
  checkUpload(question: UploadQuestion): Promise<string | null>;
  clock: Clock;
  looks: Looks;
};

const checkBody = compileCheck(uploadLinkBody, "ValidationControl.Error");
const unknownInBody = compileUnknown(uploadLinkBody);

type Linked = { link: UploadLink; warnings: readonly Violation[]; isReplay: boolean };

/**
 * The profile service has the Idempotency-Keys of all routes: its answer claims the key for the document. The document is
 * stored after that, so a request that was interrupted in between is finished when it is sent again.
 */
export async function createUploadLink(deps: LinkDeps, request: LinkRequest): Promise<Linked> {
  const { partnerId } = request;
  if (!isUuid(request.customerId))
    throw new AppError("Customer.NotFound", "There is no customer with this id.");
  const customerId = request.customerId.toLowerCase();
  const keyed = keyOf(request);
  const violations = problemsOf(request.body);
  if (request.isStrict) violations.push(...warningsOf(request.body).map(asViolation));
  if (violations.length > 0) {
    const lookUp = keyed && { ...keyed, documentId: null };
    await refuseStranger(deps, { customerId, partnerId, uboId: null, keyed: lookUp });
    throw invalidLinkRequest(violations);
  }

  const body = request.body as LinkBody;
  const uboId = holderOf(body);
  // Started now: the questions run in parallel. With a key the claim comes last.
  const obstacle = obstacleTo(deps, { partnerId, customerId });
  const ownId = idOfCall(request.callId, deps.clock.now());
  const claim = keyed && { ...keyed, documentId: (await obstacle) === null ? ownId : null };
  const claimedId = await deps.checkUpload({ customerId, partnerId, uboId, keyed: claim });
  const why = await obstacle;
  if (why !== null && claimedId === null) throw why;

  const documentId = claimedId ?? ownId;
  const first = documentId === ownId ? null : await deps.repository.find(documentId, partnerId);
  const record =
    first ?? newDocument(documentId, wishOf(request, { partnerId, customerId, uboId }), deps.looks);
  // Asked once more if the first answer is old: by now a connection that storage closed is noticed.
  if (!first) await deps.storageAnswers();
  if (!first) await deps.repository.insert(record);
  const uploadUrl = await deps.storage.signUpload(record.objectKey, uploadHeaders(record), record.createdAt);
  return {
    link: describeLink(record, uploadUrl),
    warnings: warningsOf(request.body),
    isReplay: first !== null && record._id !== request.callId,
  };
}

const keyOf = ({ idempotencyKey: key, customerId, body }: LinkRequest) =>
  key === null
    ? null
    : { key, fingerprint: fingerprintOf("document.createUploadLink", customerId.toLowerCase(), body) };

/** Null when a link can be made. It never rejects, so it may be awaited late. */
const obstacleTo = ({ repository, storageAnswers }: LinkDeps, owner: Owner): Promise<unknown> =>
  Promise.all([repository.countOfCustomer(owner), storageAnswers()]).then(
    ([links]) => (links < MAX_LINKS ? null : tooManyLinks()),
    (error: unknown) => error,
  );

const wishOf = (
  { body, requestId, traceparent }: LinkRequest,
  owner: Pick<DocumentRecord, "partnerId" | "customerId" | "uboId">,
): NewDocument => {
  const { documentCategory, contentType, sizeBytes, sha256 } = body as LinkBody;
  const wanted = { wantedSizeBytes: sizeBytes ?? null, wantedSha256: sha256?.toLowerCase() ?? null };
  return { ...owner, ...wanted, documentCategory, contentType, requestId, traceparent };
};

function problemsOf(body: unknown): Violation[] {
  const violations = checkBody(body);
  const named = new Set(violations.map(({ field }) => field));
  const others = isRecord(body) ? holderProblems(body).filter(({ field }) => !named.has(field)) : [];
  return [...violations, ...others];
}

const warningsOf = (body: unknown): Violation[] =>
  isRecord(body) ? [...unknownInBody(body), ...holderWarnings(body)] : [];

/** Errors about the owner come before errors of the body, errors about a lock after them. */
async function refuseStranger(deps: LinkDeps, question: UploadQuestion): Promise<void> {
  const LATER = ["Customer.UnderReview", "Customer.VerificationClosed"];
  await deps.checkUpload(question).catch((error: unknown) => {
    if (!LATER.includes(errorCode(error) ?? "")) throw error;
  });
}

type NewDocument = Pick<
  DocumentRecord,
  | "customerId"
  | "partnerId"
  | "uboId"
  | "documentCategory"
  | "contentType"
  | "wantedSizeBytes"
  | "wantedSha256"
  | "requestId"
  | "traceparent"
>;

function newDocument(documentId: string, given: NewDocument, looks: Looks): DocumentRecord {
  const createdAt = new Date(timeOfId(documentId));
  // A signature counts in whole seconds.
  const expiresAt = new Date((Math.floor(createdAt.getTime() / 1_000) + UPLOAD_LINK_SECONDS) * 1_000);
  return {
    ...given,
    _id: documentId,
    objectKey: objectKey({ ...given, documentId }),
    status: "AwaitingUpload",
    reason: null,
    sizeBytes: null,
    sha256: null,
    etag: null,
    versionId: null,
    uploadedAt: null,
    confirmedAt: null,
    confirmedKey: null,
    isTidy: false,
    overwrittenAt: null,
    createdAt,
    expiresAt,
    revision: 1,
    announcePending: false,
    dueAt: nextLookAt({ createdAt, expiresAt }, createdAt, looks),
  };
}
