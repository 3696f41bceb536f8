/** A violation in a sentence: its count and a few examples. */

const SHOWN = 3;

export function grouped<T>(
  violation: string,
  found: readonly T[],
  nameOf: (one: T) => string | null = String,
): string[] {
  if (found.length === 0) return [];
  const shown = found.slice(0, SHOWN).map(nameOf).join("; ");
  return [`${violation}: ${found.length} (${shown}${found.length > SHOWN ? "; …" : ""})`];
}
