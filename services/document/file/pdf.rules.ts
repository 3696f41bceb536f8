/** PDF (ISO 32000): its header first, at its end where the cross-reference table is, and there the way to its pages. */
import { ANY, type FormatReader } from "./format.rules.ts";

/** A table of 50,000 objects; only this part of a longer table is read. */
export const XREF_BYTES = 1_048_576;
const HEADER = /^%PDF-[12]\.\d/;
/** Viewers look for the end in the last kilobyte, because some programs append a little. */
const END_BYTES = 1_024;
const TAIL_BYTES = 2 * END_BYTES;
const START_OF_XREF = /startxref\s{1,8}(\d{1,8})\s{1,8}$/;
const DICTIONARY_CHARS = 4_096;

export function* readPdf(): FormatReader {
  let tail: Buffer = yield 8;
  if (!HEADER.test(tail.toString("latin1"))) return "wrong";
  let size = tail.length;
  for (;;) {
    const part = yield ANY;
    if (part.length === 0) break;
    size += part.length;
    const known = part.length >= TAIL_BYTES ? part : Buffer.concat([tail, part]);
    // A copy, so that a small tail does not keep a large part in memory.
    tail = Buffer.from(known.subarray(-TAIL_BYTES));
  }
  const text = tail.toString("latin1");
  const end = text.lastIndexOf("%%EOF");
  if (end < text.length - END_BYTES || end < 0) return "wrong";
  const lookAt = Number(START_OF_XREF.exec(text.slice(0, end))?.[1] ?? size);
  return lookAt < size ? { lookAt } : "wrong";
}

/** Whether a table or stream of cross references begins here, with a trailer that names the root of the document. */
export function isXref(bytes: Buffer): boolean {
  const text = bytes.toString("latin1");
  if (/^\s{0,8}\d{1,10}\s{1,8}\d{1,5}\s{1,8}obj/.test(text)) {
    const dictionary = text.slice(0, DICTIONARY_CHARS);
    return dictionary.includes("/XRef") && dictionary.includes("/Root");
  }
  if (!/^\s{0,8}xref\s{1,8}\d{1,10}\s{1,8}\d{1,10}\s/.test(text)) return false;
  const trailer = text.indexOf("trailer");
  if (trailer < 0) return bytes.length === XREF_BYTES;
  return text.slice(trailer, trailer + DICTIONARY_CHARS).includes("/Root");
}
