/**
 * The small part of regular expressions that identity rules may use: every repetition is bounded, so that a
 * number's length is known before it is matched and no pattern can be made to run long.
 */
type Bounds = { min: number; max: number };

/** Far above any identity number, far below what would make matching noticeable. */
const MAX_NUMBER_LENGTH = 64;
const MAX_PATTERN_LENGTH = 300;

export class PatternError extends Error {
  override name = "PatternError";
}

/** The shortest and longest text a pattern accepts. Throws a PatternError when it is outside the permitted part. */
export function patternBounds(source: string): Bounds {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`may have at most ${MAX_PATTERN_LENGTH} characters`);
  compile(source);
  const bounds = new Reader(source).alternatives(true);
  if (bounds.max > MAX_NUMBER_LENGTH)
    throw new PatternError(`accepts more than ${MAX_NUMBER_LENGTH} characters`);
  return bounds;
}

function compile(source: string): void {
  try {
    new RegExp(source);
  } catch {
    throw new PatternError("is not a regular expression");
  }
}

const ZERO: Bounds = { min: 0, max: 0 };
const ONE: Bounds = { min: 1, max: 1 };

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(outermost = false): Bounds {
    let all: Bounds | undefined;
    do {
      const one = outermost ? this.#anchored() : this.#sequence();
      all = all ? { min: Math.min(all.min, one.min), max: Math.max(all.max, one.max) } : one;
    } while (this.#take("|"));
    if (outermost && this.#at < this.#source.length) throw new PatternError("has an unexpected bracket");
    return all;
  }

  #anchored(): Bounds {
    if (!this.#take("^")) throw new PatternError("must begin with ^");
    const bounds = this.#sequence();
    if (this.#source[this.#at - 1] !== "$" || this.#source[this.#at - 2] === "\\")
      throw new PatternError("must end with $");
    return bounds;
  }

  #sequence(): Bounds {
    let sum = ZERO;
    while (this.#at < this.#source.length && !"|)".includes(this.#next())) {
      const { min, max } = this.#piece();
      sum = { min: sum.min + min, max: sum.max + max };
    }
    return sum;
  }

  #piece(): Bounds {
    if (this.#take("$")) return ZERO;
    if (this.#take("(?=") || this.#take("(?!")) return this.#lookahead();
    if (this.#take("(?:") || this.#take("(")) return this.#group();
    if (this.#take("[")) this.#skipClass();
    else if (this.#take("\\")) this.#escape();
    else if (/[.*+?{}^]/.test(this.#next())) throw new PatternError("repeats without a bound");
    else this.#at += 1;
    return this.#repeated();
  }

  #group(): Bounds {
    const bounds = this.alternatives();
    this.#take(")");
    if (/[*+?{]/.test(this.#next())) throw new PatternError("repeats a group");
    return bounds;
  }

  /** Looks at a text whose length is already bounded: `.*` is harmless there, a repeated group is not. */
  #lookahead(): Bounds {
    const end = this.#source.indexOf(")", this.#at);
    if (/[(+\\{]\(|\)[*+?{]/.test(this.#source.slice(this.#at, end + 2)))
      throw new PatternError("repeats a group");
    this.#at = end + 1;
    return ZERO;
  }

  #skipClass(): void {
    while (this.#source[this.#at] !== "]") this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
    this.#at += 1;
  }

  #escape(): void {
    if (!/[dw().\-/]/.test(this.#next())) throw new PatternError("uses an escape that is not permitted");
    this.#at += 1;
  }

  #repeated(): Bounds {
    if (this.#take("?")) return { min: 0, max: 1 };
    const [whole, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at)) ?? [];
    if (whole === undefined) {
      if (/[*+]/.test(this.#next())) throw new PatternError("repeats without a bound");
      return ONE;
    }
    if (comma && !max) throw new PatternError("repeats without a bound");
    this.#at += whole.length;
    return { min: Number(min), max: Number(max || min) };
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
