/** JPEG (ITU T.81): segments to the frame with its dimensions, then to a scan that comes to its end. */
import { ANY, type FormatReader, judgeSize } from "./format.rules.ts";

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const SCAN = 0xda;
/** Content of a segment that has only its length, such as an empty comment. */
const NOTHING = Buffer.alloc(0);
/** Tables and metadata of a camera are a few dozen. */
const MAX_SEGMENTS = 2_000;

export function* readJpeg(): FormatReader {
  if (!(yield START.length).equals(START)) return "wrong";
  let hasFrame = false;
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    if ((yield 1)[0] !== 0xff) return "wrong";
    let marker = 0xff;
    while (marker === 0xff) marker = (yield 1).readUInt8(0);
    if (!hasLength(marker)) return "wrong";
    const length = (yield 2).readUInt16BE(0) - 2;
    if (length < 0) return "wrong";
    const content: Buffer = length === 0 ? NOTHING : yield length;
    if (isFrame(marker)) {
      const problem = hasFrame ? "wrong" : frameProblem(content);
      if (problem) return problem;
      hasFrame = true;
    }
    if (marker === SCAN) return hasFrame ? yield* readScan() : "wrong";
  }
  return "wrong";
}

/** Within a scan 0xff is escaped, so these two bytes are its end. Cameras append more, which no viewer minds. */
function* readScan(): FormatReader {
  let last = 0;
  for (;;) {
    const part = yield ANY;
    if (part.length === 0) return "wrong";
    if ((last === END[0] && part[0] === END[1]) || part.includes(END)) return "fine";
    last = part.readUInt8(part.length - 1);
  }
}

/** SOF0 to SOF15; three of these numbers are tables and the like. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Not so: the start, the end and the restarts of scans, and numbers that mean nothing. */
const hasLength = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9);

function frameProblem(frame: Buffer): "wrong" | "huge" | null {
  const components = Number(frame[5]);
  if (components === 0 || frame.length !== 6 + 3 * components) return "wrong";
  return judgeSize(frame.readUInt16BE(3), frame.readUInt16BE(1));
}
