/** Pure: whether each published event arrived. A percentile without the events that never arrived would flatter. */

export type Ledger = { published: number; received: number; missing: number };

/** `arrived`: everything the receiver has noted since the round began. An event that nobody published unbalances it. */
export function ledgerOf(published: ReadonlyMap<string, unknown>, arrived: readonly string[]): Ledger {
  const received = new Set(arrived);
  const missing = [...published.keys()].filter((key) => !received.has(key)).length;
  return { published: published.size, received: received.size, missing };
}

export function requireBalance(ledger: Ledger): Ledger {
  const { published, received, missing } = ledger;
  if (published !== received + missing || missing > 0) throw new Error(`void: ${ledgerText(ledger)}`);
  return ledger;
}

export const sumOf = (ledgers: readonly Ledger[]): Ledger =>
  ledgers.reduce(
    (sum, { published, received, missing }) => ({
      published: sum.published + published,
      received: sum.received + received,
      missing: sum.missing + missing,
    }),
    { published: 0, received: 0, missing: 0 },
  );

export const ledgerText = ({ published, received, missing }: Ledger): string =>
  `${published} published, ${received} received, ${missing} missing`;
