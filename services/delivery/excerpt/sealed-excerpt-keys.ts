/** The keys that seal receivers' answers, for the sweep that moves them to the newest field key. */
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { SealedRecords } from "../../../shared/sealing/field-key-sweep.ts";
import { COLLECTIONS } from "../collections.ts";
import type { ExcerptKey } from "./excerpt-key.model.ts";
import type { ExcerptKeyRepository, KeySealedAnew } from "./excerpt-key.repository.ts";

export const excerptKeyPlace = (day: string) => ({
  collection: COLLECTIONS.excerptKeys.name,
  recordId: day,
  field: "sealedKey",
});

export const sealedExcerptKeys = (
  keys: Pick<ExcerptKeyRepository, "pageAfter" | "replaceSealed">,
  cipher: FieldCipher,
): SealedRecords<ExcerptKey, KeySealedAnew> => ({
  name: COLLECTIONS.excerptKeys.name,
  page: keys.pageAfter,
  sealedIn: ({ sealedKey }) => [sealedKey],
  move(before) {
    if (!cipher.isStale(before.sealedKey)) return null;
    const place = excerptKeyPlace(before._id);
    return { before, sealedKey: cipher.seal(cipher.open(before.sealedKey, place), place) };
  },
  write: keys.replaceSealed,
});
