/**
 * Confirms a list of documents for a caller that cannot wait for notifications. A file that is refused at the first check
 * confirms none; documents that were confirmed before a later round failed stay confirmed.
 */
import type { ConfirmRequest } from "../../shared/contract/actions/document.ts";
import type { DocumentSummary } from "../../shared/contract/answers/document.ts";
import { AppError, unavailable } from "../../shared/errors.ts";
import type { Deps } from "./deps.ts";
import type { DocumentChange } from "./document.repository.ts";
import { type DocumentRecord, summaryOf } from "./document.rules.ts";
import { dropCopy, judgeArrival } from "./judge-arrival.ts";
import { mapBounded } from "./map-bounded.ts";
import { announcementAfterRequestAt } from "./schedule.rules.ts";

/** A document with the change that confirms it, or with nothing left to change. */
type Checked = { record: DocumentRecord; change: DocumentChange | null };

const FILES_AT_ONCE = 4;
const TRIES = 3;

/** The gravest first: its code is the code of the whole refusal. */
const TEXTS = {
  "Document.NotFound": "There is no document with this id.",
  "Document.AccessDenied": "This document belongs to another customer.",
  "Document.Rejected": "The uploaded file was rejected; ask for a new link and upload another.",
  "Document.NotUploaded": "No file was uploaded for this document.",
} as const;

type ConfirmRefusal = { index: number; code: keyof typeof TEXTS };
const CODES = Object.keys(TEXTS) as ConfirmRefusal["code"][];

export async function confirmForCustomer(deps: Deps, request: ConfirmRequest): Promise<DocumentSummary[]> {
  const signal = AbortSignal.timeout(deps.deadlineMs);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const checked = await checkAll(deps, request, signal);
    const stored = await Promise.all(checked.map((one) => store(deps, one)));
    // A record changed during the check: the stored value is right, so check the rest again.
    if (stored.every((record) => record !== null)) return stored.map(summaryOf);
  }
  throw unavailable("A document that keeps changing");
}

async function checkAll(deps: Deps, request: ConfirmRequest, signal: AbortSignal): Promise<Checked[]> {
  const simulated = new Set(request.simulatedIds);
  const ids = [...new Set(request.documentIds.map((id) => id.toLowerCase()))].filter(
    (id) => !simulated.has(id),
  );
  const found = await deps.repository.findMany(ids, request.partnerId);
  const records = new Map(found.map((record) => [record._id, record]));
  const refusals: ConfirmRefusal[] = [];
  const refuse = (documentId: string, code: ConfirmRefusal["code"]) => {
    refusals.push({ index: request.documentIds.findIndex((id) => id.toLowerCase() === documentId), code });
    return [];
  };
  const own = ids.flatMap((id) => {
    const record = records.get(id);
    if (!record) return refuse(id, "Document.NotFound");
    return record.customerId === request.customerId ? [record] : refuse(id, "Document.AccessDenied");
  });
  throwIfAny(refusals);
  const checked = await mapBounded(own, FILES_AT_ONCE, async (record) => {
    const one = await check(deps, record, signal);
    return typeof one === "string" ? refuse(record._id, one) : [one];
  });
  throwIfAny(refusals);
  return checked.flat();
}

/** The call has one code; its details have every problem. */
function throwIfAny(refusals: readonly ConfirmRefusal[]): void {
  const code = CODES.find((each) => refusals.some((refusal) => refusal.code === each));
  if (!code) return;
  const details = refusals
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, code: each }) => ({
      field: `businessDocumentIdList[${index}]`,
      code: each,
      message: TEXTS[each],
    }));
  throw new AppError(code, TEXTS[code], { details });
}

async function check(
  deps: Deps,
  record: DocumentRecord,
  signal: AbortSignal,
): Promise<Checked | "Document.NotUploaded" | "Document.Rejected"> {
  if (record.status === "Confirmed") return { record, change: null };
  const judgement = await judgeArrival(deps, record, null, signal);
  if (judgement === "moved") throw unavailable("A document that keeps changing");
  const change = judgement === "nothing" ? null : judgement.change;
  const status = change?.status ?? record.status;
  if (status === "Rejected") return "Document.Rejected";
  if (status !== "Confirmed") return "Document.NotUploaded";
  return { record, change };
}

async function store(deps: Deps, { record, change }: Checked): Promise<DocumentRecord | null> {
  if (!change) return record;
  const dueAt = announcementAfterRequestAt(new Date(deps.clock.now()));
  const stored = await deps.repository.change(record, { ...change, dueAt });
  if (!stored) await dropCopy(deps, change);
  return stored;
}
