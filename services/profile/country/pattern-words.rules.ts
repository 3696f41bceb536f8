/** An identity pattern in words and with an example, for people who must repair a number. */

type Piece = { characters: readonly string[]; min: number; max: number };

const DIGITS = [..."1234567890"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** So many examples are tried until one passes the rule itself, check digit included. */
const MAX_TRIES = 500;

/** Null where the pattern says it in a way that has no short words. */
export function formatInWords(source: string): string | null {
  const alternatives = alternativesOf(source);
  if (alternatives.length > 2) return null;
  const words = alternatives.map((one) => wordsOf(one));
  return words.every((one) => one !== null) ? words.join(", or ") : null;
}

/** One that the rule takes; null when none is found. */
export function exampleOf(source: string, accepts: (value: string) => boolean): string | null {
  const pieces = piecesOf(String(alternativesOf(source)[0]));
  if (!pieces) return null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    let place = 0;
    const value = pieces
      .flatMap(({ characters, min, max }) =>
        // Separators that may be left out are.
        Array.from({ length: min === 0 ? 0 : Math.min(max, Math.max(min, 2)) }, () => {
          place += 1;
          return String(characters[(place - 1 + tries * place) % characters.length]);
        }),
      )
      .join("");
    if (accepts(value)) return value;
  }
  return null;
}

function wordsOf(alternative: string): string | null {
  const pieces = piecesOf(alternative)?.filter(({ max, min }) => !(min === 0 && max === 1));
  if (!pieces || pieces.length === 0 || pieces.length > 6) return null;
  return pieces.map(pieceInWords).join(", then ");
}

function pieceInWords({ characters, min, max }: Piece): string {
  if (characters.length === 1 && min === 1 && max === 1) return String(characters[0]);
  const isOne = min === 1 && max === 1;
  const count = min === max ? String(min) : `${min} to ${max}`;
  const name = className(characters, isOne);
  if (isOne) return /^(letter|digit)$/.test(name) ? `a ${name}` : `one of ${name}`;
  return `${count} ${name}`;
}

function className(characters: readonly string[], isOne: boolean): string {
  const has = (all: readonly string[]) => all.every((character) => characters.includes(character));
  const others = characters.filter((one) => !DIGITS.includes(one) && !LETTERS.includes(one));
  const names = [
    ...(has(LETTERS) ? [isOne && characters.length === 26 ? "letter" : "letters"] : []),
    ...(has(DIGITS) ? [isOne && characters.length === 10 ? "digit" : "digits"] : []),
  ];
  const rest = names.length === 0 ? characters : others;
  const listed = [...names, ...rest.map((one) => (one === " " ? "blanks" : one))];
  return listed.length > 1 ? `${listed.slice(0, -1).join(", ")} or ${listed.at(-1)}` : String(listed[0]);
}

/** Between bars that stand in no bracket; anchors and lookaheads say nothing that words need. */
function alternativesOf(source: string): string[] {
  const bare = source.replaceAll(/\(\?[=!](?:[^()]|\([^()]*\))*\)/g, "");
  return bare.split(/\$\|\^/).map((one) => one.replace(/^\^/, "").replace(/\$$/, ""));
}

const PIECE = /(\\d|\\[^\w]|\[[^\]]+\]|[A-Z0-9 /-])(?:\{(\d+)(?:,(\d+))?\}|(\?))?/y;

/** Null for groups, which have no short words. */
function piecesOf(alternative: string): Piece[] | null {
  const pieces: Piece[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < alternative.length) {
    const found = PIECE.exec(alternative);
    if (!found) return null;
    const [, atom = "", least, most, optional] = found;
    const min = optional ? 0 : Number(least ?? 1);
    pieces.push({ characters: charactersOf(atom), min, max: optional ? 1 : Number(most ?? least ?? 1) });
  }
  return pieces;
}

function charactersOf(atom: string): readonly string[] {
  if (atom === "\\d") return DIGITS;
  if (!atom.startsWith("[")) return [atom.replace("\\", "")];
  const inside = atom.slice(1, -1).replaceAll("\\d", "0-9");
  const listed = [...inside.matchAll(/(.)-(.)|(.)/g)].flatMap(([, from, to, one]) =>
    from && to ? rangeOf(from, to) : [String(one)],
  );
  // In the order of examples: letters, then digits from 1.
  return [...LETTERS, ...DIGITS]
    .filter((one) => listed.includes(one))
    .concat(listed.filter((one) => !LETTERS.includes(one) && !DIGITS.includes(one)));
}

const rangeOf = (from: string, to: string): string[] =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, index) =>
    String.fromCharCode(from.charCodeAt(0) + index),
  );
