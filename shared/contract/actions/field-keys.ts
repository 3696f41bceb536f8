/** Request and answer of the sweep over sealed values, the same for every service that seals. */

export type KeySweepRequest = {
  /** The position in the previous answer; without it the sweep starts. */
  position?: string | null;
  /** Seals values under the newest key again; without it they are only counted. */
  reseal?: boolean;
};

/** A batch of the sweep. */
export type KeySweep = {
  /** The position for the next call; null at the end. */
  next: string | null;
  /** The values of this batch as they are stored now: a row for each configured key, and for each other one found. */
  counts: readonly KeyCount[];
  /** Records that were moved. */
  resealed: number;
  /** Records left as they were: their key is not configured, or they are damaged. The log names them. */
  unreadable: number;
};

export type KeyCount = { store: string; keyId: string; use: "seals" | "opens" | "missing"; values: number };
