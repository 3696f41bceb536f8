/** Reads the structure of a file while its bytes come in, with a bounded part of it in memory. */
import type { ContentType } from "../../../shared/contract/vocabularies.ts";
import { ANY, type FormatReader, type FormatVerdict } from "./format.rules.ts";
import { readJpeg } from "./jpeg.rules.ts";
import { readPdf } from "./pdf.rules.ts";
import { readPng } from "./png.rules.ts";

export type FormatCheck = {
  /** The verdict, once more bytes cannot change it. */
  push(bytes: Buffer): FormatVerdict | null;
  end(): FormatVerdict;
};

const READERS: Record<ContentType, () => FormatReader> = {
  "application/pdf": readPdf,
  "image/jpeg": readJpeg,
  "image/png": readPng,
};

const NOTHING = Buffer.alloc(0);

export function createFormatCheck(contentType: ContentType): FormatCheck {
  const reader = READERS[contentType]();
  let verdict: FormatVerdict | null = null;
  let wanted = ANY;
  let held: Buffer = NOTHING;
  const follow = ({ done, value }: IteratorResult<number, FormatVerdict>) => {
    if (done) verdict = value;
    else wanted = value;
  };
  follow(reader.next());

  return {
    push(bytes) {
      let rest = bytes;
      while (verdict === null && rest.length > 0) {
        const taken = rest.subarray(0, wanted === ANY ? rest.length : wanted - held.length);
        rest = rest.subarray(taken.length);
        held = held.length > 0 ? Buffer.concat([held, taken]) : taken;
        if (wanted !== ANY && held.length < wanted) continue;
        const complete = held;
        held = NOTHING;
        follow(reader.next(complete));
      }
      return verdict;
    },
    end() {
      if (verdict === null && wanted === ANY) follow(reader.next(NOTHING));
      return verdict ?? "wrong";
    },
  };
}
