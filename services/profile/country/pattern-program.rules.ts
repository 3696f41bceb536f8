/**
 * Runs a pattern in linear time: a node is looked at once at most for each place in the text, whatever the pattern is.
 * Single characters are left to the engine of the language, so that a class means what it means there.
 */

export type Node = {
  kind: "character" | "fork" | "lookahead" | "not-ahead" | "start" | "finish" | "end";
  next: Node | null;
  /** The other way of a fork, or what a lookahead looks for. */
  other: Node | null;
  accepts: Accepts | null;
  /** Its row in the memory of a run; -1 for a node that only one way leads to, which needs none. */
  row: number;
};

/** The nodes as they are linked, from the first one; `rows` of them are remembered. */
export type Program = { first: Node; rows: number };

type Run = { text: string; known: Uint8Array; steps: number };

const [UNKNOWN, NO, YES] = [0, 1, 2] as const;

/** Whether the text begins with what the program describes, and how many steps it took to know. */
export function runProgram({ first, rows }: Program, text: string): { accepted: boolean; steps: number } {
  const run = { text, known: new Uint8Array(rows * (text.length + 1)), steps: 0 };
  const accepted = leadsToEnd(run, first, 0);
  return { accepted, steps: run.steps };
}

function leadsToEnd(run: Run, node: Node | null, at: number): boolean {
  if (node === null || node.row < 0) return follow(run, node, at);
  const place = node.row * (run.text.length + 1) + at;
  if (run.known[place] === UNKNOWN) run.known[place] = follow(run, node, at) ? YES : NO;
  return run.known[place] === YES;
}

function follow(run: Run, first: Node | null, start: number): boolean {
  let node = first;
  let at = start;
  while (node?.accepts) {
    run.steps += 1;
    if (at === run.text.length || !node.accepts(run.text.charCodeAt(at))) return false;
    at += 1;
    node = node.next;
    if (node && node.row >= 0) return leadsToEnd(run, node, at);
  }
  run.steps += 1;
  switch (node?.kind) {
    case "fork":
      return leadsToEnd(run, node.next, at) || leadsToEnd(run, node.other, at);
    case "lookahead":
      return leadsToEnd(run, node.other, at) && leadsToEnd(run, node.next, at);
    case "not-ahead":
      return !leadsToEnd(run, node.other, at) && leadsToEnd(run, node.next, at);
    case "start":
      return at === 0 && leadsToEnd(run, node.next, at);
    case "finish":
      return at === run.text.length && leadsToEnd(run, node.next, at);
    default:
      return true;
  }
}

/** Whether a character belongs to a class, by its UTF-16 code. */
export type Accepts = (code: number) => boolean;

const ASCII = 128;

/** `source` is a class, an escape or a single character, as a regular expression writes it. */
export function acceptsOf(source: string): Accepts {
  const regex = new RegExp(`^${source}$`);
  const judge: Accepts = (code) => regex.test(String.fromCharCode(code));
  const known = new Uint8Array(ASCII);
  return (code) => {
    if (code >= ASCII) return judge(code);
    if (known[code] === UNKNOWN) known[code] = judge(code) ? YES : NO;
    return known[code] === YES;
  };
}
