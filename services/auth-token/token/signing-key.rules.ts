/** Decides which key signs, which are published and which can be removed. */
import { ACCESS_TOKEN_SECONDS, DAY_MS } from "../../../shared/contract/durations.ts";

export type SigningKeyRecord = {
  /** The kid of tokens and of the key set. */
  _id: string;
  /** Rises by one per key; unique, so that two replicas cannot both make the next one. */
  ordinal: number;
  /** The public x of the Ed25519 key (RFC 8037). */
  x: string;
  /** PKCS #8 PEM, encrypted with a field key. */
  sealedPrivateKey: string;
  createdAt: Date;
  /** Published before it signs, so that every gateway knows it in time. */
  signsFrom: Date;
};

/** Between publishing a key and signing with it: gateways ask every two seconds, other caches every minute. */
export const PUBLISHED_BEFORE_MS = 90_000;
/** The last token of a key, and some room for clocks that differ. */
const NEEDED_AFTER_MS = (ACCESS_TOKEN_SECONDS + 60) * 1_000;

/** `newestFirst` by ordinal. */
export function keyPlan(newestFirst: readonly SigningKeyRecord[], now: number, keyDays: number) {
  const signing = newestFirst.find((key) => key.signsFrom.getTime() <= now) ?? newestFirst.at(-1) ?? null;
  const [newest] = newestFirst;
  const isNeeded = (key: SigningKeyRecord, index: number): boolean => {
    const successor = newestFirst[index - 1];
    return !successor || successor.signsFrom.getTime() + NEEDED_AFTER_MS > now || key === signing;
  };
  const isDue = newest !== undefined && now - newest.createdAt.getTime() >= keyDays * DAY_MS;
  return {
    signing,
    published: newestFirst.filter(isNeeded),
    removable: newestFirst.filter((key, index) => !isNeeded(key, index)).map((key) => key._id),
    /** When the next key is due: the time at which it begins to sign. Otherwise null. */
    nextSignsFrom: newest === undefined ? now : isDue ? now + PUBLISHED_BEFORE_MS : null,
  };
}
