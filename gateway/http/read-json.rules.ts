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
 * JSON.parse makes Infinity of 1e400, rounds long integers and lets the last of two equal keys win. A quick
 * look shows that nearly every text is free of that; the others are read once more, name by name.
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
  if (!isPlain(text, kept)) refuseFaults(text, maxDepth);
  return value;
}

const tooDeep = (maxDepth: number) =>
  new JsonFault(`The body may be nested at most ${maxDepth} levels deep.`);

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

/** Digits that a double always preserves. */
const SAFE_DIGITS = 15;
/** Below it those digits are far from either end of a double's range. */
const LARGE_POWER = /e[+-]?\d{3}/i;
const [QUOTE, MINUS, ZERO, NINE, COLON, BACKSLASH] = [34, 45, 48, 57, 58, 92];

/**
 * True when every key that was written was kept and no number is at fault. The text is valid JSON.
 * Escapes are not looked into: V8 may read a key that has them as another one (nodejs/node issue 63785).
 */
function isPlain(text: string, kept: number): boolean {
  if (text.includes("\\")) return false;
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = text.indexOf('"', at + 1);
    else if (code === COLON) colons += 1;
    else if (isNumberStart(code)) {
      const end = endOfNumber(text, at);
      if (numberFault(text.slice(at, end + 1)) !== null) return false;
      at = end;
    }
  }
  return colons === kept;
}

const isNumberStart = (code: number): boolean => code === MINUS || (code >= ZERO && code <= NINE);

/** Where the last character of the number stands that begins at `start`. */
function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(text);
  return NUMBER.lastIndex - 1;
}

const NUMBER = /[\d.eE+-]+/y;

/** A number's own value in a double is accepted however it is spelled (RFC 7493, 2.2); 0.1 may have 17 digits. */
function numberFault(source: string): string | null {
  if (source.length <= SAFE_DIGITS && !LARGE_POWER.test(source)) return null;
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

/** An object with the keys seen in it, or a list; and the key or index of what is being read in it. */
type Place = { keys: Set<string> | null; step: string | number };

/** The same text once more, with the names of all places. */
function refuseFaults(text: string, maxDepth: number): void {
  const places: Place[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const place = places.at(-1);
    if (character === "{" || character === "[") {
      isKeyNext = character === "{";
      places.push(isKeyNext ? { keys: new Set(), step: "" } : { keys: null, step: 0 });
      if (places.length > maxDepth) throw tooDeep(maxDepth);
    } else if (character === "}" || character === "]") places.pop();
    else if (character === ":") isKeyNext = false;
    else if (character === ",") {
      isKeyNext = place?.keys instanceof Set;
      if (typeof place?.step === "number") place.step += 1;
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (isKeyNext) enterKey(places, JSON.parse(text.slice(at, end + 1)) as string);
      at = end;
    } else if (isNumberStart(character.charCodeAt(0))) {
      const end = endOfNumber(text, at);
      refuseAt(places, numberFault(text.slice(at, end + 1)));
      at = end;
    }
  }
}

function enterKey(places: readonly Place[], key: string): void {
  const place = places.at(-1) as Place & { keys: Set<string> };
  place.step = key;
  refuseAt(places, place.keys.has(key) ? "stands twice in one object" : null);
  place.keys.add(key);
}

/** Where the quote stands that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** As long as a path can sensibly be; keys may be of any length. */
const MAX_PATH_LENGTH = 200;

function refuseAt(places: readonly Place[], problem: string | null): void {
  if (problem === null) return;
  const steps = places.map(({ step }) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  const path = steps.join("").replace(/^\./, "").slice(0, MAX_PATH_LENGTH);
  // Where the whole text is at fault, or a key is empty, there is no path to name.
  throw path === "" ? new JsonFault(`The body ${problem}.`) : new JsonFault(problem, path);
}
