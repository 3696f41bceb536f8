/** PNG (ISO 15948): the signature, then chunks with their checksums from IHDR to IEND. */
import { crc32 } from "node:zlib";
import { type FormatReader, judgeSize } from "./format.rules.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A file of the largest size, in the smallest chunks that encoders make. */
const MAX_CHUNKS = 20_000;
const PART_BYTES = 16_384;

/** Bit depths for each type of colour. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

export function* readPng(): FormatReader {
  if (!(yield SIGNATURE.length).equals(SIGNATURE)) return "wrong";
  let hasPixels = false;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const head = yield 8;
    const length = head.readUInt32BE(0);
    const type = head.toString("latin1", 4);
    if (!/^[A-Za-z]{4}$/.test(type) || (type === "IHDR") !== (chunks === 0)) return "wrong";
    if (type === "IHDR" && length !== 13) return "wrong";
    let sum = crc32(head.subarray(4));
    for (let left = length; left > 0; ) {
      const part: Buffer = yield Math.min(left, PART_BYTES);
      const problem = type === "IHDR" ? headerProblem(part) : null;
      if (problem) return problem;
      sum = crc32(part, sum);
      left -= part.length;
    }
    if ((yield 4).readUInt32BE(0) !== sum) return "wrong";
    hasPixels ||= type === "IDAT" && length > 0;
    // Bytes after IEND are no part of the picture, and viewers ignore them.
    if (type === "IEND") return hasPixels && length === 0 ? "fine" : "wrong";
  }
  return "wrong";
}

type HeaderFields = [depth: number, colour: number, compression: number, filter: number, interlace: number];

function headerProblem(header: Buffer): "wrong" | "huge" | null {
  const [depth, colour, compression, filter, interlace] = [...header.subarray(8)] as HeaderFields;
  const isKnown = compression === 0 && filter === 0 && interlace <= 1 && DEPTHS[colour]?.includes(depth);
  return isKnown ? judgeSize(header.readUInt32BE(0), header.readUInt32BE(4)) : "wrong";
}
