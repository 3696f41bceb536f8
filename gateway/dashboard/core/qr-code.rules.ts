/** A QR code of a text (ISO/IEC 18004): bytes, error correction M, versions 1 to 20. */

/** True is dark; the quiet zone around it is left to the drawing. */
type Matrix = boolean[][];

/** Index 0 is version 1. */
const ECC_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const BYTE_MODE = 0b0100;
const LEVEL_M = 0b00;
const PADDING = [0xec, 0x11];
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Null for a text that is too long. */
export function qrCode(text: string): Matrix | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, index) => bytes.length <= roomOf(index + 1)) + 1;
  if (version === 0) return null;
  const bits = bitsOf(withCorrection(version, dataOf(version, bytes)));
  const drawn = MASKS.map((isFlipped, mask) => {
    const frame = frameOf(version, mask);
    placeBits(frame, bits, isFlipped);
    return frame.map((row) => row.map((cell) => cell === true));
  });
  return drawn.reduce((best, each) => (evenness(each) < evenness(best) ? each : best));
}

const sizeOf = (version: number): number => version * 4 + 17;
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

function codewordsOf(version: number): { all: number; perBlock: number; blocks: number; data: number } {
  const aligned = alignmentOf(version).length;
  let modules = (16 * version + 128) * version + 64;
  if (aligned > 0) modules -= (25 * aligned - 10) * aligned - 55;
  if (version >= 7) modules -= 36;
  const all = Math.floor(modules / 8);
  const perBlock = ECC_PER_BLOCK[version - 1] ?? 0;
  const blocks = BLOCKS[version - 1] ?? 0;
  return { all, perBlock, blocks, data: all - perBlock * blocks };
}

/** Bytes of text. */
const roomOf = (version: number): number =>
  Math.floor((codewordsOf(version).data * 8 - 4 - lengthBits(version)) / 8);

function dataOf(version: number, bytes: readonly number[]): number[] {
  const head = [[BYTE_MODE, 4] as const, [bytes.length, lengthBits(version)] as const];
  const bits = [...head, ...bytes.map((byte) => [byte, 8] as const)].flatMap(([value, length]) =>
    Array.from({ length }, (_, index) => (value >> (length - 1 - index)) & 1),
  );
  const room = codewordsOf(version).data;
  // The end of the text, and the rest of its last byte.
  while (bits.length % 8 !== 0 || bits.length < 16 + bytes.length * 8) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  ).slice(0, room);
  return [...data, ...Array.from({ length: room - data.length }, (_, index) => PADDING[index % 2] ?? 0)];
}

/** In blocks of (nearly) equal length, each with its correction, read column by column. */
function withCorrection(version: number, data: readonly number[]): number[] {
  const { all, perBlock, blocks } = codewordsOf(version);
  const short = Math.floor(all / blocks) - perBlock;
  const firstLong = blocks - (all % blocks);
  const divisor = generatorOf(perBlock);
  let from = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const part = data.slice(from, from + short + (index < firstLong ? 0 : 1));
    from += part.length;
    return { part, correction: remainderOf(part, divisor) };
  });
  return [
    ...interleaved(parts.map(({ part }) => part)),
    ...interleaved(parts.map(({ correction }) => correction)),
  ];
}

const interleaved = (rows: readonly (readonly number[])[]): number[] =>
  Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, index) =>
    rows.map((row) => row[index]),
  )
    .flat()
    .filter((value) => value !== undefined);

/** In the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function product(one: number, other: number): number {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    if ((other >> bit) & 1) result ^= one;
  }
  return result;
}

function generatorOf(degree: number): number[] {
  let result = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let turn = 0; turn < degree; turn += 1) {
    result = result.map((value, index) => product(value, root) ^ (result[index + 1] ?? 0));
    root = product(root, 2);
  }
  return result;
}

function remainderOf(data: readonly number[], divisor: readonly number[]): number[] {
  let result = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (result[0] ?? 0);
    result = divisor.map((value, index) => (result[index + 1] ?? 0) ^ product(value, factor));
  }
  return result;
}

const bitsOf = (bytes: readonly number[]): boolean[] =>
  bytes.flatMap((byte) => Array.from({ length: 8 }, (_, index) => ((byte >> (7 - index)) & 1) === 1));

function alignmentOf(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** Undefined is room for data. */
type Frame = (boolean | undefined)[][];

/** Every pattern that is the same for all texts of a version. */
function frameOf(version: number, mask: number): Frame {
  const size = sizeOf(version);
  const frame: Frame = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const set = (x: number, y: number, isDark: boolean) => {
    const row = frame[y];
    if (row && x >= 0 && x < size) row[x] = isDark;
  };
  const rings = (x: number, y: number, reach: number, isDark: (ring: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1)
        set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const corners = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const;
  for (const [x, y] of corners) rings(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const places = alignmentOf(version);
  const last = places.length - 1;
  for (const [i, x] of places.entries())
    for (const [j, y] of places.entries())
      if (!(i === 0 && j === 0) && !(i === 0 && j === last) && !(i === last && j === 0))
        rings(x, y, 2, (ring) => ring !== 1);
  setFormat(mask, size, set);
  if (version >= 7) setVersion(version, size, set);
  return frame;
}

type SetCell = (x: number, y: number, isDark: boolean) => void;

/** With the remainder that corrects it, of so many bits. */
const corrected = (value: number, bits: number, divisor: number): number => {
  let rest = value;
  for (let turn = 0; turn < bits; turn += 1) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor);
  return (value << bits) | rest;
};

function setFormat(mask: number, size: number, set: SetCell): void {
  const format = corrected((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412;
  for (let index = 0; index < 15; index += 1) {
    const isDark = ((format >> index) & 1) === 1;
    const near = index < 6 ? index : index < 8 ? index + 1 : 14 - index;
    if (index < 8) set(8, near, isDark);
    else set(index === 8 ? 7 : near, 8, isDark);
    if (index < 8) set(size - 1 - index, 8, isDark);
    else set(8, size - 15 + index, isDark);
  }
  set(8, size - 8, true);
}

function setVersion(version: number, size: number, set: SetCell): void {
  const bits = corrected(version, 12, 0x1f25);
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >> index) & 1) === 1;
    const near = Math.floor(index / 3);
    const far = size - 11 + (index % 3);
    set(far, near, isDark);
    set(near, far, isDark);
  }
}

/** In columns of two, from the right, up and down in turn; column 6 has the timing. */
function placeBits(
  frame: Frame,
  bits: readonly boolean[],
  isFlipped: (x: number, y: number) => boolean,
): void {
  const size = frame.length;
  let next = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = frame[y];
        if (!row || row[x] !== undefined) continue;
        row[x] = (bits[next] ?? false) !== isFlipped(x, y);
        next += 1;
      }
    }
  }
}

/** Neighbours that are alike: the fewer, the easier to read. */
function evenness(matrix: Matrix): number {
  let alike = 0;
  for (const [y, row] of matrix.entries())
    for (const [x, cell] of row.entries()) {
      if (cell === row[x + 1]) alike += 1;
      if (cell === matrix[y + 1]?.[x]) alike += 1;
    }
  return alike;
}
