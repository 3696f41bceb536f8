/**
 * The part of regular expressions that identity rules may use: from ^ to $, bounded, groups not repeated. The steps of the
 * slowest match are counted, because the language's engine tries every path through a pattern before it refuses a text.
 */

/** A character as the pattern writes it (a class, an escape or itself), and how often it is repeated. */
export type Piece = { character: string; min: number; max: number };

export type Pattern = {
  /** The shortest and longest text it accepts. */
  min: number;
  max: number;
  /** Its alternatives without lookaheads; null for an alternative with groups. */
  alternatives: readonly (readonly Piece[] | null)[];
  test(text: string): boolean;
};

/** Far above any identity number. */
const MAX_NUMBER_LENGTH = 64;
const MAX_PATTERN_LENGTH = 300;
/** By measurement a match then takes less than two milliseconds. The largest shipped pattern has 303 steps. */
const MAX_STEPS = 50_000;

export class PatternError extends Error {
  override name = "PatternError";
}

/** Throws a PatternError when the source is outside the permitted part. */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`may have at most ${MAX_PATTERN_LENGTH} characters`);
  const regex = regexOf(source);
  const parts = new Reader(source).whole();
  const { min, max, steps } = anyOf(parts);
  if (max > MAX_NUMBER_LENGTH) throw new PatternError(`accepts more than ${MAX_NUMBER_LENGTH} characters`);
  if (steps > MAX_STEPS) throw new PatternError("has too many repetitions and alternatives");
  return {
    min,
    max,
    alternatives: parts.map(({ pieces }) => pieces),
    test: (text) => text.length >= min && text.length <= max && regex.test(text),
  };
}

function regexOf(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch {
    throw new PatternError("is not a regular expression");
  }
}

/** A part of the pattern: the lengths it accepts, the paths through it, and the steps that try all of them. */
type Part = { min: number; max: number; paths: number; steps: number; pieces: readonly Piece[] | null };

const EMPTY: Part = { min: 0, max: 0, paths: 1, steps: 0, pieces: [] };
const EDGE: Part = { ...EMPTY, steps: 1 };

const followedBy = (part: Part, next: Part): Part => ({
  min: part.min + next.min,
  max: part.max + next.max,
  paths: part.paths * next.paths,
  steps: part.steps + part.paths * next.steps,
  pieces: part.pieces && next.pieces && [...part.pieces, ...next.pieces],
});

const anyOf = (parts: readonly Part[]): Part => ({
  min: Math.min(...parts.map(({ min }) => min)),
  max: Math.max(...parts.map(({ max }) => max)),
  paths: parts.reduce((sum, { paths }) => sum + paths, 0),
  steps: parts.reduce((sum, { steps }) => sum + 1 + steps, 0),
  pieces: null,
});

class Reader {
  readonly #source: string;
  #at = 0;
  /** Inside a lookahead, which reads a text of bounded length, repetitions need no bound. */
  #isLookahead = false;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Part[] {
    const parts = this.#alternatives(() => this.#anchored());
    if (this.#at < this.#source.length) throw new PatternError("has an unexpected bracket");
    return parts;
  }

  #alternatives(read: () => Part): Part[] {
    const parts = [read()];
    while (this.#take("|")) parts.push(read());
    return parts;
  }

  #anchored(): Part {
    if (!this.#take("^")) throw new PatternError("must begin with ^");
    const part = this.#sequence();
    if (this.#source[this.#at - 1] !== "$" || this.#source[this.#at - 2] === "\\")
      throw new PatternError("must end with $");
    return part;
  }

  #sequence(): Part {
    let part = EMPTY;
    while (this.#at < this.#source.length && !"|)".includes(this.#next()))
      part = followedBy(part, this.#part());
    return part;
  }

  #part(): Part {
    if (this.#take("$") || (this.#isLookahead && this.#take("^"))) return EDGE;
    if (this.#take("(?=") || this.#take("(?!")) return this.#lookahead();
    if (this.#take("(?:") || this.#take("(")) return this.#group();
    const start = this.#at;
    this.#character();
    return this.#repeated(this.#source.slice(start, this.#at));
  }

  #group(): Part {
    if (this.#next() === "?") throw new PatternError("uses a group that is not permitted");
    const part = anyOf(this.#alternatives(() => this.#sequence()));
    this.#take(")");
    if (/[*+?{]/.test(this.#next())) throw new PatternError("repeats a group");
    return part;
  }

  #lookahead(): Part {
    const outer = this.#isLookahead;
    this.#isLookahead = true;
    const { steps } = this.#group();
    this.#isLookahead = outer;
    return { ...EMPTY, steps };
  }

  #character(): void {
    if (this.#take("[")) {
      while (this.#next() !== "]") this.#at += this.#next() === "\\" ? 2 : 1;
    } else if (this.#take("\\")) {
      if (!(this.#isLookahead ? /[dDwWsS\W]/ : /[dw().\-/]/).test(this.#next()))
        throw new PatternError("uses an escape that is not permitted");
    } else if ((this.#isLookahead ? /[*+?{}]/ : /[.*+?{}^]/).test(this.#next()))
      throw new PatternError("repeats without a bound");
    this.#at += 1;
  }

  #repeated(character: string): Part {
    const { min, max } = this.#bounds();
    if (max === Number.POSITIVE_INFINITY && !this.#isLookahead)
      throw new PatternError("repeats without a bound");
    // No longer text is matched.
    const steps = Math.min(max, MAX_NUMBER_LENGTH);
    const paths = Math.max(steps - min, 0) + 1;
    return { min, max, paths, steps, pieces: [{ character, min, max }] };
  }

  #bounds(): { min: number; max: number } {
    const [whole = "", sign, from, comma, to] =
      /^(?:([?*+])|\{(\d+)(,?)(\d*)\})/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += whole.length;
    // A repetition that takes as little as it can accepts the same texts.
    if (whole && this.#isLookahead) this.#take("?");
    if (sign) return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    if (!whole) return { min: 1, max: 1 };
    if (comma && !to) return { min: Number(from), max: Number.POSITIVE_INFINITY };
    return { min: Number(from), max: Number(to || from) };
  }

  #next(): string {
    return this.#source.charAt(this.#at);
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
