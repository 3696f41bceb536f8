/** The next time that the sweep checks a document. */
import type { DocumentRecord } from "./document.rules.ts";
import { isRemovedAtOnce } from "./file/file.rules.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** An upload may begin at the last moment; storage shows it only when it is complete. */
const LATE_UPLOAD_MS = 15 * MINUTE_MS;
/** A refused file is kept this long, for the partner to ask about. */
const REJECTED_KEPT_MS = 24 * HOUR_MS;
/** A confirmed file that vanished without a notification is noticed within this time. */
const RECHECK_MS = 24 * HOUR_MS;
/** No process still examines a file after this. */
const LONGEST_LOOK_MS = 5 * MINUTE_MS;
const FIRST_ANNOUNCE_MS = 5 * SECOND_MS;
const MAX_ANNOUNCE_MS = 10 * MINUTE_MS;
/** A caller that confirms by request stores the document itself; the sweep only steps in if that failed. */
const CONFIRMED_ON_REQUEST_MS = 30 * SECOND_MS;

type Times = Pick<DocumentRecord, "createdAt" | "expiresAt">;

const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

/** From then on no file can come any more. */
export const closesAt = ({ expiresAt }: Pick<Times, "expiresAt">): Date => after(expiresAt, LATE_UPLOAD_MS);

/** How old a link is when storage is first asked about it, and the longest wait between two looks. */
export type Looks = { firstMs: number; mostMs: number };

/** Often while the link is young, then less: this is how long a lost notification delays a document. */
export function nextLookAt(record: Times, now: Date, { firstMs, mostMs }: Looks): Date {
  const age = now.getTime() - record.createdAt.getTime();
  const wait = Math.min(Math.max(age, firstMs), mostMs);
  return earlier(after(now, wait), later(closesAt(record), after(now, SECOND_MS)));
}

/** The wait doubles with each failed announcement. */
export function nextAnnouncementAt({ uploadedAt }: Pick<DocumentRecord, "uploadedAt">, now: Date): Date {
  const unknownFor = uploadedAt ? now.getTime() - uploadedAt.getTime() : 0;
  return after(now, Math.min(Math.max(unknownFor, FIRST_ANNOUNCE_MS), MAX_ANNOUNCE_MS));
}

export const announcementAfterRequestAt = (now: Date): Date => after(now, CONFIRMED_ON_REQUEST_MS);

/** Work after a change: check that a confirmed file still exists, remove the others. */
export function restUntil(
  record: Pick<DocumentRecord, "status" | "reason" | "expiresAt" | "isTidy">,
  now: Date,
): Date | null {
  switch (record.status) {
    case "Confirmed":
    case "Missing":
      return !record.isTidy ? later(closesAt(record), now) : after(now, RECHECK_MS);
    case "Rejected":
      return isRemovedAtOnce(record.reason) ? now : after(record.expiresAt, REJECTED_KEPT_MS);
    case "Superseded":
      return closesAt(record);
    default:
      return null;
  }
}

/** A link that is still open may bring another file after a removal, a look under way at an erased one another copy. */
export function nextRemovalAt(
  record: Pick<DocumentRecord, "expiresAt" | "erasedAt">,
  now: Date,
): Date | null {
  const { erasedAt } = record;
  const last = erasedAt ? later(closesAt(record), after(erasedAt, LONGEST_LOOK_MS)) : closesAt(record);
  return now < last ? last : null;
}
