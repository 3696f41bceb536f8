/** Examines a file that arrived: its description, then its structure, malware and SHA-256. */
import { createHash } from "node:crypto";
import type { RejectionReason } from "../../../shared/contract/vocabularies.ts";
import { isAppError, unavailable } from "../../../shared/errors.ts";
import type { DocumentRecord } from "../document.rules.ts";
import type { Storage, StoredFile } from "../storage/storage.ts";
import { describedProblem } from "./file.rules.ts";
import type { FormatVerdict } from "./format.rules.ts";
import { createFormatCheck } from "./format-check.rules.ts";
import { isXref, XREF_BYTES } from "./pdf.rules.ts";
import { NO_SCANNER, type Scanner } from "./scanner.ts";

type Examined = { sha256: string } | { rejected: RejectionReason };

export type ExamineDeps = { storage: Pick<Storage, "read" | "readPart">; scanner: Scanner };

/** Digests are empty when the file was refused before its end. The MD5 is the ETag, unless storage encrypts with a key of its own. */
type Read = { sha256: string; md5: string; format: FormatVerdict; isMalware: boolean };

/** null when the file is no longer the one described. Storage may send damaged bytes: a second read has to confirm the first. */
export async function examineFile(
  deps: ExamineDeps,
  key: string,
  wanted: Pick<DocumentRecord, "contentType" | "wantedSizeBytes" | "wantedSha256">,
  file: StoredFile,
  signal?: AbortSignal,
): Promise<Examined | null> {
  const problem = describedProblem(file, wanted);
  if (problem) return { rejected: problem };
  const read = await readThrough(deps, key, wanted, file, signal);
  if (!read) return null;
  if (read.md5 !== file.etag) {
    const again = await readThrough({ ...deps, scanner: NO_SCANNER }, key, wanted, file, signal);
    if (!again) return null;
    if (again.sha256 !== read.sha256)
      throw unavailable("The document storage", new Error("two reads of a file differ"));
  }
  const { sha256, format, isMalware } = read;
  if (isMalware) return { rejected: "Malware" };
  if (format === "wrong") return { rejected: "WrongType" };
  if (format === "huge") return { rejected: "TooLarge" };
  if (format !== "fine") {
    const part = () => deps.storage.readPart(key, file, format.lookAt, XREF_BYTES);
    const first = await part();
    const xref = first && !isXref(first) ? await part() : first;
    if (!xref) return null;
    if (!isXref(xref)) return { rejected: "WrongType" };
  }
  // Storage has compared them, if it knows the header.
  return wanted.wantedSha256 && wanted.wantedSha256 !== sha256 ? { rejected: "Mismatch" } : { sha256 };
}

/** Reads no further once the structure is wrong; what is refused anyway needs no scan. */
async function readThrough(
  { storage, scanner }: ExamineDeps,
  key: string,
  { contentType }: Pick<DocumentRecord, "contentType">,
  file: StoredFile,
  signal?: AbortSignal,
): Promise<Read | null> {
  const body = await storage.read(key, file, signal);
  if (!body) return null;
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  const check = createFormatCheck(contentType);
  const scan = scanner.open(signal);
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sha256.update(chunk);
      md5.update(chunk);
      size += chunk.length;
      const format = check.push(chunk);
      if (isRefused(format)) return { sha256: "", md5: "", format, isMalware: false };
      await scan.write(chunk);
    }
    if (size !== file.sizeBytes) throw new Error("a file was cut short");
    const format = check.end();
    const isMalware = !isRefused(format) && (await scan.verdict()) === "malware";
    return { sha256: sha256.digest("hex"), md5: md5.digest("hex"), format, isMalware };
  } catch (error) {
    throw isAppError(error) ? error : unavailable("The document storage", error);
  } finally {
    body.destroy();
    scan.close();
  }
}

const isRefused = (format: FormatVerdict | null): format is "wrong" | "huge" =>
  format === "wrong" || format === "huge";
