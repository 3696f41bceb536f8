/**
 * The small part of regular expressions that identity rules may use: from ^ to $, bounded, groups not repeated. A
 * pattern becomes a program of our own, because the language's engine can be made to run for minutes by one of them.
 */
import { type Accepts, acceptsOf, type Node, runProgram } from "./pattern-program.rules.ts";

export type Pattern = {
  /** The shortest and longest text it accepts. */
  min: number;
  max: number;
  /** The nodes of its program; a match takes at most one step for each of them and each place in the text. */
  size: number;
  test(text: string): { accepted: boolean; steps: number };
};

/** Far above any identity number. */
const MAX_NUMBER_LENGTH = 64;
const MAX_PATTERN_LENGTH = 300;
/** In 64 characters a match then takes 32,500 steps at most: by measurement less than two milliseconds. */
export const MAX_PATTERN_SIZE = 500;

export class PatternError extends Error {
  override name = "PatternError";
}

/** Throws a PatternError when the source is outside the permitted part. */
export function compilePattern(source: string): Pattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`may have at most ${MAX_PATTERN_LENGTH} characters`);
  checkSyntax(source);
  const { min, max, build } = new Reader(source).whole();
  if (max > MAX_NUMBER_LENGTH) throw new PatternError(`accepts more than ${MAX_NUMBER_LENGTH} characters`);
  const nodes = new Nodes();
  const program = { first: build(nodes, nodes.add("end", null)), rows: nodes.rows };
  const test = (text: string) =>
    text.length < min || text.length > max ? REFUSED : runProgram(program, text);
  return { min, max, size: nodes.size, test };
}

const REFUSED = { accepted: false, steps: 0 };
export const NOTHING: Pattern = { min: 0, max: 0, size: 0, test: () => REFUSED };

function checkSyntax(source: string): void {
  try {
    new RegExp(source);
  } catch {
    throw new PatternError("is not a regular expression");
  }
}

/** Makes the nodes, from the end to the beginning, and counts them. */
class Nodes {
  size = 0;
  rows = 0;

  add(
    kind: Node["kind"],
    next: Node | null,
    other: Node | null = null,
    accepts: Accepts | null = null,
  ): Node {
    if (this.size === MAX_PATTERN_SIZE) throw new PatternError("has too many repetitions and alternatives");
    this.size += 1;
    return { kind, next, other, accepts, row: -1 };
  }

  character = (accepts: Accepts, next: Node): Node => this.add("character", next, null, accepts);

  /** More than one way will lead to it. */
  share(node: Node): void {
    if (node.row >= 0) return;
    node.row = this.rows;
    this.rows += 1;
  }

  /** As often as it applies, then on. */
  loop(accepts: Accepts, next: Node): Node {
    const again = this.add("fork", null, next);
    this.share(again);
    again.next = this.character(accepts, again);
    return again;
  }
}

/** A part of the pattern: the lengths it accepts, and its nodes before those that follow. */
type Part = { min: number; max: number; build(nodes: Nodes, next: Node): Node };

const edge = (kind: "start" | "finish"): Part => ({
  min: 0,
  max: 0,
  build: (nodes, next) => nodes.add(kind, next),
});

class Reader {
  readonly #source: string;
  #at = 0;
  /** Inside a lookahead, which looks at a text of bounded length, repetitions need no bound. */
  #isLookahead = false;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): Part {
    const part = this.#alternatives(() => this.#anchored());
    if (this.#at < this.#source.length) throw new PatternError("has an unexpected bracket");
    return part;
  }

  #alternatives(read: () => Part): Part {
    const parts = [read()];
    while (this.#take("|")) parts.push(read());
    return {
      min: Math.min(...parts.map(({ min }) => min)),
      max: Math.max(...parts.map(({ max }) => max)),
      build(nodes, next) {
        if (parts.length > 1) nodes.share(next);
        const ways = parts.map((part) => part.build(nodes, next));
        return ways.reduceRight((other, way) => nodes.add("fork", way, other));
      },
    };
  }

  #anchored(): Part {
    if (!this.#take("^")) throw new PatternError("must begin with ^");
    const part = this.#sequence();
    if (this.#source[this.#at - 1] !== "$" || this.#source[this.#at - 2] === "\\")
      throw new PatternError("must end with $");
    return part;
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#next())) parts.push(this.#piece());
    return {
      min: parts.reduce((sum, { min }) => sum + min, 0),
      max: parts.reduce((sum, { max }) => sum + max, 0),
      build: (nodes, next) => parts.reduceRight((after, part) => part.build(nodes, after), next),
    };
  }

  #piece(): Part {
    if (this.#take("$")) return edge("finish");
    if (this.#isLookahead && this.#take("^")) return edge("start");
    if (this.#take("(?=")) return this.#lookahead("lookahead");
    if (this.#take("(?!")) return this.#lookahead("not-ahead");
    if (this.#take("(?:") || this.#take("(")) return this.#group();
    const start = this.#at;
    this.#character();
    return this.#repeated(acceptsOf(this.#source.slice(start, this.#at)));
  }

  #group(): Part {
    if (this.#next() === "?") throw new PatternError("uses a group that is not permitted");
    const part = this.#alternatives(() => this.#sequence());
    this.#take(")");
    if (/[*+?{]/.test(this.#next())) throw new PatternError("repeats a group");
    return part;
  }

  #lookahead(kind: "lookahead" | "not-ahead"): Part {
    const outer = this.#isLookahead;
    this.#isLookahead = true;
    const { build } = this.#group();
    this.#isLookahead = outer;
    return {
      min: 0,
      max: 0,
      build: (nodes, next) => nodes.add(kind, next, build(nodes, nodes.add("end", null))),
    };
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

  #repeated(accepts: Accepts): Part {
    const { min, max } = this.#bounds();
    const isEndless = max === Number.POSITIVE_INFINITY;
    if (isEndless && !this.#isLookahead) throw new PatternError("repeats without a bound");
    return {
      min,
      max,
      build(nodes, next) {
        if (max > min) nodes.share(next);
        let node = isEndless ? nodes.loop(accepts, next) : next;
        for (let left = isEndless ? 0 : max - min; left > 0; left -= 1)
          node = nodes.add("fork", nodes.character(accepts, node), next);
        for (let left = min; left > 0; left -= 1) node = nodes.character(accepts, node);
        return node;
      },
    };
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
