/** A violation in a sentence: its count and a few examples. */

const SHOWN = 3;

export function grouped(violation: string, examples: readonly string[]): string[] {
  if (examples.length === 0) return [];
  const shown = examples.slice(0, SHOWN).join("; ");
  return [`${violation}: ${examples.length} (${shown}${examples.length > SHOWN ? "; …" : ""})`];
}
