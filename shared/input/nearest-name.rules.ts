/** Finds the name that a caller probably meant. */

/** Longer ones are not typing mistakes, and comparing them would cost too much. */
const MAX_LENGTH = 64;
const MIN_CONTAINED = 4;

/** Few mistakes for its length, or one name inside the other (`companyName` and `name`); null when none is near. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  if (given.length > MAX_LENGTH) return null;
  const wanted = folded(given);
  let nearest: string | null = null;
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  let within: string | null = null;
  for (const name of names) {
    const candidate = folded(name);
    const mistakes = distance(wanted, candidate);
    if (mistakes < fewest) [nearest, fewest] = [name, mistakes];
    else if (isInside(candidate, wanted) || isInside(wanted, candidate)) within ??= name;
  }
  return nearest ?? within;
}

/** Case and separators are how the same word is written in other languages. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[_\-. ]/g, "");

const isInside = (part: string, whole: string): boolean =>
  part.length >= MIN_CONTAINED && whole.includes(part);

/** Levenshtein: single characters added, left out or exchanged. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const exchanged = Number(above[column - 1]) + (a[row - 1] === b[column - 1] ? 0 : 1);
      line.push(Math.min(exchanged, Number(above[column]) + 1, Number(line[column - 1]) + 1));
    }
    above = line;
  }
  return Number(above[b.length]);
}
