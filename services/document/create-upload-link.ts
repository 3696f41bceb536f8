/** Creates a link to upload one file: one signature, one write. */
import type { UploadQuestion } from "../../shared/contract/actions/profile.ts";
import type { UploadLink } from "../../shared/contract/answers/document.ts";
import { AppError, asViolation, errorCode, type Violation } from "../../shared/errors.ts";
import { keyedRequest } from "../../shared/idempotency.rules.ts";
import { idOfCall, isUuid } from "../../shared/ids.ts";
import type { Deps } from "./deps.ts";
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

type LinkDeps = Deps & {
  /** Refuses a locked customer or another's person. Returns the document id of the key: the question's, or the first. */
  checkUpload(question: UploadQuestion): Promise<string | null>;
};

type Linked = { link: UploadLink; warnings: readonly Violation[]; isReplay: boolean };

/** The profile service claims the key before the document is stored: a repeated request finishes an interrupted one. */
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
  // Started now: the questions run in parallel. With a key the claim is last.
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
    await deps.storage.answers();
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
const obstacleTo = ({ repository, storage }: LinkDeps, owner: Owner): Promise<unknown> =>
  Promise.all([repository.countOfCustomer(owner), storage.answers()]).then(
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
