/** Looks at a file that arrived: its size, its first bytes, and then all of it for its SHA-256. */
import { createHash } from "node:crypto";
import type { RejectionReason } from "../../shared/document-vocabulary.rules.ts";
import { unavailable } from "../../shared/errors.ts";
import type { DocumentRecord } from "./document.rules.ts";
import { describedProblem, FIRST_BYTES, type StoredFile, typeMatches } from "./file.rules.ts";
import type { Storage } from "./storage.ts";

type Examined = { sha256: string } | { rejected: RejectionReason };

type Deps = { storage: Pick<Storage, "read"> };

/** null when the file is no longer the one described. */
export async function examineFile(
  { storage }: Deps,
  key: string,
  wanted: Pick<DocumentRecord, "contentType" | "wantedSizeBytes" | "wantedSha256">,
  file: StoredFile,
  signal?: AbortSignal,
): Promise<Examined | null> {
  const { contentType, wantedSha256 } = wanted;
  const problem = describedProblem(file, wanted);
  if (problem) return { rejected: problem };
  const body = await storage.read(key, file, signal);
  if (!body) return null;

  const hash = createHash("sha256");
  let first = Buffer.alloc(0);
  let checked = false;
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
      if (checked) continue;
      first = Buffer.concat([first, chunk.subarray(0, FIRST_BYTES)]);
      if (first.length < FIRST_BYTES) continue;
      if (!typeMatches(first, contentType)) return { rejected: "WrongType" };
      checked = true;
    }
  } catch (error) {
    throw unavailable("The document storage", error);
  } finally {
    body.destroy();
  }
  if (size !== file.sizeBytes) throw unavailable("The document storage", new Error("a file was cut short"));
  if (!checked && !typeMatches(first, contentType)) return { rejected: "WrongType" };
  const sha256 = hash.digest("hex");
  // Storage has compared them, if it knows this header.
  return wantedSha256 && wantedSha256 !== sha256 ? { rejected: "Mismatch" } : { sha256 };
}
