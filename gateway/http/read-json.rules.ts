/** Reads JSON that means what it says: what JSON.parse would quietly change is refused. */

/** Why a text was refused, in words for the caller; `field` is the path of the fault, when it has one. */
export class JsonFault extends Error {
  override name = "JsonFault";
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

/**
 * JSON.parse makes Infinity of 1e400, rounds long integers and lets the last of two equal keys win. Nearly every text
 * is plainly free of that; the others are read once more, token by token.
 */
export function readJson(text: string, maxDepth: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonFault("The body is not valid JSON.");
  }
  const kept = countKeys(value, maxDepth);
  if (Number.isNaN(kept)) throw tooDeep(maxDepth);
  if (!isPlain(text, value) || writtenKeys(text) !== kept) refuseFaults(text, maxDepth);
  return value;
}

const tooDeep = (maxDepth: number) =>
  new JsonFault(`The body can be nested at most ${maxDepth} levels deep.`);

/**
 * The keys of all objects in it; NaN when it is nested too deeply.
 * Also drops own "__proto__" keys, which are dangerous to code that copies properties. A search in the text
 * would not find them all: JSON can write the name with escapes.
 */
function countKeys(value: unknown, levels: number): number {
  if (value === null || typeof value !== "object") return 0;
  if (levels === 0) return Number.NaN;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  let count = 0;
  if (Array.isArray(value)) for (const one of value) count += countKeys(one, levels - 1);
  else for (const name in value) count += 1 + countKeys(value[name as keyof typeof value], levels - 1);
  return count;
}

/**
 * False for a number of 16 characters or with a power of three digits, which a double may not preserve, and for an
 * escape: V8 may read a key that has escapes as another one (nodejs/node issue 63785).
 */
const isPlain = (text: string, value: unknown): boolean =>
  typeof value !== "number" && !text.includes("\\") && !LONG_NUMBER.test(text);

const LONG_NUMBER = /[[:,\s]-?\d(?:[\d.eE+-]{15}|[\d.]*[eE][+-]?\d{3})/;

/** A text that begins with a colon counts as a key, so plain texts may be read twice, and no fault is missed. */
const writtenKeys = (text: string): number => text.match(/"\s*:/g)?.length ?? 0;

/** A number's own value in a double is accepted however it is spelled (RFC 7493, 2.2); 0.1 may have 17 digits. */
function numberFault(source: string): string | null {
  const value = Number(source);
  const isLost = value === 0 && NOT_ZERO.test(source);
  if (isLost || !Number.isFinite(value)) return "is a number beyond what a double can hold";
  return INTEGER.test(source) && isBeyond(source, Math.abs(value)) ? BEYOND : null;
}

const NOT_ZERO = /^[^e]*[1-9]/i;
const INTEGER = /^-?\d+$/;
const LARGEST = 2 ** 53;
const BEYOND = `is an integer beyond ${LARGEST} (2^53), where JSON numbers lose digits`;

/** The integer after the largest is read as the largest. */
const isBeyond = (source: string, value: number): boolean =>
  value > LARGEST || (value === LARGEST && !source.endsWith(String(LARGEST)));

/** An object with the keys seen in it, or a list; and the key or index that is being read in it. */
type Place = { keys: Set<string> | null; step: string | number };

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\]:,]/g;

/** Reads valid JSON again and refuses the first fault by its path. */
function refuseFaults(text: string, maxDepth: number): void {
  const places: Place[] = [];
  let isKeyNext = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const place = places.at(-1);
    if (token === "{" || token === "[") {
      isKeyNext = token === "{";
      places.push(isKeyNext ? { keys: new Set(), step: "" } : { keys: null, step: 0 });
      if (places.length > maxDepth) throw tooDeep(maxDepth);
    } else if (token === "}" || token === "]") places.pop();
    else if (token === ":") isKeyNext = false;
    else if (token === ",") {
      isKeyNext = place?.keys instanceof Set;
      if (typeof place?.step === "number") place.step += 1;
    } else if (!token.startsWith('"')) refuseAt(places, numberFault(token));
    else if (isKeyNext) enterKey(places, JSON.parse(token) as string);
  }
}

function enterKey(places: readonly Place[], key: string): void {
  const place = places.at(-1) as Place & { keys: Set<string> };
  place.step = key;
  refuseAt(places, place.keys.has(key) ? "is duplicated in its object" : null);
  place.keys.add(key);
}

/** As long as a path can sensibly be; keys may be of any length. */
const MAX_PATH_LENGTH = 200;

function refuseAt(places: readonly Place[], problem: string | null): void {
  if (problem === null) return;
  const steps = places.map(({ step }) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  const path = steps.join("").replace(/^\./, "").slice(0, MAX_PATH_LENGTH);
  // The whole text and an empty key have no path.
  throw path === "" ? new JsonFault(`The body ${problem}.`) : new JsonFault(problem, path);
}
