/**
 * Counts values per field key and reseals them under the newest key, a bounded batch a call. Each write loses against a
 * concurrent change, so the sweep may stop anywhere, run next to writers and other sweeps, and start again.
 */
import type { KeyCount, KeySweep, KeySweepRequest } from "../contract/actions/field-keys.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type FieldCipher, keyIdOf } from "./field-cipher.ts";

/** The records of a collection that hold sealed values. */
export type SealedRecords<T extends { _id: string }, Move> = {
  name: string;
  /** Records after this id, in the order of ids. */
  page(after: string, limit: number): Promise<T[]>;
  /** Values that a field key sealed. */
  sealedIn(record: T): string[];
  /** The write that puts all of them under the newest key; null when they are. Throws when one does not open. */
  move(record: T): Move | null;
  write(moves: readonly Move[]): Promise<void>;
};

type AnyRecords = SealedRecords<{ _id: string }, unknown>;

type Options = {
  cipher: FieldCipher;
  logger: Logger;
  stores: readonly AnyRecords[];
  batch?: number;
};

export type FieldKeySweep = (request: KeySweepRequest) => Promise<KeySweep>;

const BATCH = 200;
/** Tries for a record that keeps changing; the next run moves the rest. */
const ROUNDS = 5;

export function createFieldKeySweep({ cipher, logger, stores, batch = BATCH }: Options): FieldKeySweep {
  return async ({ position, reseal = false }) => {
    const { index, after } = readPosition(position);
    const store = stores[index];
    if (!store) return { next: null, counts: [], resealed: 0, unreadable: 0 };
    const done = reseal ? await moveBatch(logger, store, after, batch) : { resealed: 0, unreadable: 0 };
    // Read again: what is counted is what is stored, not what was meant to be.
    const records = await store.page(after, batch);
    const last = records.length === batch ? records.at(-1) : undefined;
    const isLastStore = index + 1 >= stores.length;
    const next = last ? `${index}/${last._id}` : isLastStore ? null : `${index + 1}/`;
    return { next, counts: countsOf(cipher, store, records), ...done };
  };
}

async function moveBatch(logger: Logger, store: AnyRecords, after: string, batch: number) {
  const done = { resealed: 0, unreadable: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const moves: unknown[] = [];
    done.unreadable = 0;
    for (const record of await store.page(after, batch))
      try {
        const move = store.move(record);
        if (move !== null) moves.push(move);
      } catch (err) {
        done.unreadable += 1;
        const where = { store: store.name, recordId: record._id };
        if (round === 0) logger.error({ err, ...where }, "field_key.not_resealed");
      }
    if (moves.length === 0) break;
    await store.write(moves);
    done.resealed += moves.length;
  }
  if (done.resealed > 0) logger.info({ store: store.name, ...done }, "field_key.resealed");
  return done;
}

function countsOf(
  { keyIds }: FieldCipher,
  store: AnyRecords,
  records: readonly { _id: string }[],
): KeyCount[] {
  const useOf = (keyId: string): KeyCount["use"] =>
    keyId === keyIds[0] ? "seals" : keyIds.includes(keyId) ? "opens" : "missing";
  const counts = new Map<string, number>(keyIds.map((id) => [id, 0]));
  for (const keyId of records.flatMap((record) => store.sealedIn(record)).map(keyIdOf))
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  return [...counts].map(([keyId, values]) => ({ store: store.name, keyId, use: useOf(keyId), values }));
}

/** The number of the store, and the last id that was looked at. */
function readPosition(position: string | null | undefined): { index: number; after: string } {
  const [, index = "0", after = ""] = /^(\d{1,3})\/(.{0,200})$/.exec(String(position ?? "0/")) ?? [];
  return { index: Number(index), after };
}
