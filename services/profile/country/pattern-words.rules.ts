/** An identity pattern in words and with an example, for people who must repair a number. */
import type { Pattern, Piece } from "./pattern.rules.ts";

const DIGITS = [..."1234567890"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** In the order of examples: letters, then digits from 1. */
const CHARACTERS = [...new Set([...LETTERS, ...DIGITS, ..." ./-", ...ASCII])];
/** Examples are tried until one passes the rule itself, check digit included. */
const MAX_TRIES = 500;

/** Null where the pattern has no short words. */
export function formatInWords({ alternatives }: Pattern): string | null {
  if (alternatives.length > 2) return null;
  const words = alternatives.map(wordsOf);
  return words.every((each) => each !== null) ? words.join(", or ") : null;
}

/** A number that the rule takes; null when none is found. */
export function exampleOf({ alternatives }: Pattern, accepts: (value: string) => boolean): string | null {
  const pieces = alternatives[0]?.map((piece) => ({ ...piece, characters: charactersOf(piece) }));
  if (!pieces) return null;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    let place = 0;
    const value = pieces
      .flatMap(({ characters, min, max }) =>
        // Optional separators are left out.
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

function wordsOf(alternative: readonly Piece[] | null): string | null {
  const pieces = alternative?.filter(({ max, min }) => !(min === 0 && max === 1));
  if (!pieces || pieces.length === 0 || pieces.length > 6) return null;
  return pieces.map(pieceInWords).join(", then ");
}

function pieceInWords(piece: Piece): string {
  const { min, max } = piece;
  const characters = charactersOf(piece);
  const isOne = min === 1 && max === 1;
  if (characters.length === 1 && isOne) return String(characters[0]);
  const name = className(characters, isOne);
  if (isOne) return /^(letter|digit)$/.test(name) ? `a ${name}` : `one of ${name}`;
  return `${min === max ? min : `${min} to ${max}`} ${name}`;
}

function className(characters: readonly string[], isOne: boolean): string {
  const has = (all: readonly string[]) => all.every((character) => characters.includes(character));
  const names = [
    ...(has(LETTERS) ? [isOne && characters.length === 26 ? "letter" : "letters"] : []),
    ...(has(DIGITS) ? [isOne && characters.length === 10 ? "digit" : "digits"] : []),
  ];
  const others = characters.filter((each) => !DIGITS.includes(each) && !LETTERS.includes(each));
  const rest = names.length === 0 ? characters : others;
  const listed = [...names, ...rest.map((each) => (each === " " ? "blanks" : each))];
  return listed.length > 1 ? `${listed.slice(0, -1).join(", ")} or ${listed.at(-1)}` : String(listed[0]);
}

/** A character beyond ASCII is its own name. */
function charactersOf({ character }: Piece): readonly string[] {
  const regex = new RegExp(`^${character}$`);
  const found = CHARACTERS.filter((each) => regex.test(each));
  return found.length > 0 ? found : [character];
}
