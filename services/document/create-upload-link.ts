/** Creates a link to upload one file: one signature, one write. */

import type { Clock } from "../../shared/clock.ts";
import type { UploadQuestion } from "../../shared/contract/actions/profile.ts";
import type { UploadLink } from "../../shared/contract/answers/document.ts";
import { AppError, asViolation, errorCode, type Violation } from "../../shared/errors.ts";
import { keyedRequest } from "../../shared/idempotency.rules.ts";
import { idOfCall, isUuid } from "../../shared/ids.ts";
import type { DocumentRepository } from "./document.repository.ts";
import type { Owner } from "./document.rules.ts";
import {
  describeLink,
  holderOf,
  invalidLinkRequest,
  type LinkBody,
  linkViolations,
  linkWarnings,
  MAX_LINKS,
  newDocument,
  tooManyLinks,
  uploadHeaders,
} from "./link.rules.ts";
import type { Looks } from "./schedule.rules.ts";
import type { Storage } from "./storage/storage.ts";

type LinkRequest = {
  customerId: string;
  partnerId: string;
  body: unknown;
  idempotencyKey: string | null;
  /** Warnings refuse the request. */
  isStrict: boolean;
  /** The same when one request is tried again, so that it makes one document. */
  callId: string | null;
  requestId: string;
  traceparent: string;
};

type LinkDeps = {
  repository: Pick<DocumentRepository, "insert" | "countOfCustomer" | "find">;
  storage: Pick<Storage, "signUpload">;
  /** Fails when storage is away, which signing alone would not notice. */
  storageAnswers(): Promise<void>;
  /**
   * Fails when this customer may not get documents now, or does not have this person. Returns the id of the document of the
   * request's key: the id in the question, or that of the first request with this key.
   */
  checkUpload(question: UploadQuestion): Promise<string | null>;
  clock: Clock;
  looks: Looks;
};

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
  const keyed = keyedRequest(request.idempotencyKey, "document.createUploadLink", customerId, request.body);
  const warnings = linkWarnings(request.body);
  const violations = linkViolations(request.body);
  if (request.isStrict) violations.push(...warnings.map(asViolation));
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
  const { requestId, traceparent } = request;
  const given = { partnerId, customerId, uboId, requestId, traceparent, body };
  const record = first ?? newDocument(documentId, given, deps.looks);
  if (!first) {
    // Storage is asked again if its first answer is old: a connection that it closed is noticed by now.
    await deps.storageAnswers();
    await deps.repository.insert(record);
  }
  const uploadUrl = await deps.storage.signUpload(record.objectKey, uploadHeaders(record), record.createdAt);
  return {
    link: describeLink(record, uploadUrl),
    warnings,
    isReplay: first !== null && record._id !== request.callId,
  };
}

/** Null when a link can be made. It never rejects, so it may be awaited late. */
const obstacleTo = ({ repository, storageAnswers }: LinkDeps, owner: Owner): Promise<unknown> =>
  Promise.all([repository.countOfCustomer(owner), storageAnswers()]).then(
    ([links]) => (links < MAX_LINKS ? null : tooManyLinks()),
    (error: unknown) => error,
  );

/** Errors about the owner come before errors of the body, errors about a lock after them. */
async function refuseStranger(deps: LinkDeps, question: UploadQuestion): Promise<void> {
  const LATER = ["Customer.UnderReview", "Customer.VerificationClosed"];
  await deps.checkUpload(question).catch((error: unknown) => {
    if (!LATER.includes(errorCode(error) ?? "")) throw error;
  });
}
