/** Tags that name exactly these bytes, and whether a caller has them (RFC 9110, 13.1.2). */
import { createHash } from "node:crypto";

export const etagOf = (bytes: string | Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url")}"`;

export const isNamed = (etag: string, given = ""): boolean =>
  given
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
