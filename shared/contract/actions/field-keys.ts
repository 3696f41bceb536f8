/** Request and answer of the sweep over sealed values, the same for every service that seals. */

export type KeySweepRequest = {
  /** From the answer before; without it the sweep begins. */
  position?: string | null;
  /** Moves what is not under the newest key; without it values are only counted. */
  reseal?: boolean;
};

/** A batch of the sweep. */
export type KeySweep = {
  /** Where the next call goes on; null at the end. */
  next: string | null;
  /** The values of this batch as they are stored now: a row for each configured key, and for each other one found. */
  counts: readonly KeyCount[];
  /** Records that were moved. */
  resealed: number;
  /** Records left as they were: their key is not configured, or they are damaged. The log names them. */
  unreadable: number;
};

export type KeyCount = { store: string; keyId: string; use: "seals" | "opens" | "missing"; values: number };
