/** Hands out a link to upload one file: one signature, one write. */

import type { UploadLink } from "../../shared/action-types/document.ts";
import type { UploadQuestion } from "../../shared/action-types/profile.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ContentType, DocumentCategory } from "../../shared/document-vocabulary.rules.ts";
import { AppError, asViolation, errorCode, type Violation } from "../../shared/errors.ts";
import { fingerprintOf, judgeKey, keyUnderWay } from "../../shared/idempotency.rules.ts";
import { idOfCall, isUuid, timeOfId } from "../../shared/ids.ts";
import { compileUnknown } from "../../shared/input/unknown-properties.rules.ts";
import { compileCheck } from "../../shared/input/validation.ts";
import { isRecord } from "../../shared/is-record.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { type DocumentRecord, objectKey } from "./document.rules.ts";
import { uploadLinkBody } from "./document.schemas.ts";
import {
  describeLink,
  holderOf,
  holderProblems,
  holderWarnings,
  invalidLinkRequest,
  LINK_SECONDS,
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
  repository: Pick<DocumentRepository, "insert" | "countOfCustomer" | "findByKey" | "forgetKey">;
  storage: Pick<Storage, "signUpload">;
  /** Fails when storage is away: signing needs no network and would not notice. */
  storageAnswers(): Promise<void>;
  /** Fails when this customer may not get documents now, or does not have this person. */
  checkUpload(question: UploadQuestion): Promise<null>;
  clock: Clock;
  looks: Looks;
};

const checkBody = compileCheck(uploadLinkBody, "ValidationControl.Error");
const unknownInBody = compileUnknown(uploadLinkBody);

type Linked = { link: UploadLink; warnings: readonly Violation[]; isReplay: boolean };

export async function createUploadLink(deps: LinkDeps, request: LinkRequest): Promise<Linked> {
  const keyed = keyOf(request);
  // Before everything else: the customer may be locked by now, and the first answer counts all the same.
  const first = keyed && (await firstLink(deps, request.partnerId, keyed));
  return first ? linked(deps, request, first) : newLink(deps, request, keyed);
}

type Keyed = { key: string; fingerprint: string };

const keyOf = ({ idempotencyKey: key, customerId, body }: LinkRequest): Keyed | null =>
  key === null ? null : { key, fingerprint: fingerprintOf(customerId.toLowerCase(), body) };

async function firstLink(
  { repository, clock }: LinkDeps,
  partnerId: string,
  { key, fingerprint }: Keyed,
): Promise<DocumentRecord | null> {
  const first = await repository.findByKey(partnerId, key);
  if (!first?.answeredKey) return null;
  if (judgeKey(first.answeredKey, fingerprint, clock.now()) === "replay") return first;
  await repository.forgetKey(first);
  return null;
}

/** The link is a signature of what is stored, so the same record gives the same answer. */
async function linked(deps: LinkDeps, request: LinkRequest, record: DocumentRecord): Promise<Linked> {
  const uploadUrl = await deps.storage.signUpload(record.objectKey, uploadHeaders(record), record.createdAt);
  return {
    link: describeLink(record, uploadUrl),
    warnings: warningsOf(request.body),
    isReplay: record._id !== request.callId,
  };
}

async function newLink(deps: LinkDeps, request: LinkRequest, keyed: Keyed | null): Promise<Linked> {
  const { partnerId } = request;
  if (!isUuid(request.customerId))
    throw new AppError("Customer.NotFound", "There is no customer with this id.");
  const customerId = request.customerId.toLowerCase();
  const warnings = warningsOf(request.body);
  const violations = problemsOf(request.body);
  if (request.isStrict) violations.push(...warnings.map(asViolation));
  if (violations.length > 0) {
    await refuseStranger(deps, { customerId, partnerId, uboId: null });
    throw invalidLinkRequest(violations);
  }

  const body = request.body as LinkBody;
  const { documentCategory, contentType } = body;
  const uboId = holderOf(body);
  // Started now, awaited below: the two questions run in parallel.
  deps.storageAnswers().catch(() => undefined);
  await deps.checkUpload({ customerId, partnerId, uboId });
  const [linksBefore] = await Promise.all([
    deps.repository.countOfCustomer({ partnerId, customerId }),
    deps.storageAnswers(),
  ]);
  if (linksBefore >= MAX_LINKS) throw tooManyLinks();

  const documentId = idOfCall(request.callId, deps.clock.now());
  const { requestId, traceparent } = request;
  const owner = { partnerId, customerId, uboId };
  const wanted = {
    wantedSizeBytes: body.sizeBytes ?? null,
    wantedSha256: body.sha256?.toLowerCase() ?? null,
  };
  const record = newDocument(
    documentId,
    { ...owner, ...wanted, documentCategory, contentType, requestId, traceparent },
    deps.looks,
  );
  const answeredKey = keyed && { ...keyed, at: record.createdAt.toISOString() };
  const isFirst = await deps.repository.insert(answeredKey ? { ...record, answeredKey } : record);
  const made = isFirst || !keyed ? record : await firstLink(deps, partnerId, keyed);
  if (!made) throw keyUnderWay();
  return { ...(await linked(deps, request, made)), isReplay: !isFirst };
}

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
  const expiresAt = new Date((Math.floor(createdAt.getTime() / 1_000) + LINK_SECONDS) * 1_000);
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
