/** A PNG that resembles an identity card, in a colour of its own. */
import { crc32, deflateSync } from "node:zlib";

const WIDTH = 640;
const HEIGHT = 400;
type Colour = readonly [red: number, green: number, blue: number];
type Box = readonly [x: number, y: number, width: number, height: number, colour: Colour];

const PAPER: Colour = [244, 241, 232];
const INK: Colour = [70, 78, 88];

export function samplePicture(number: number): Buffer<ArrayBuffer> {
  const band: Colour = [(number * 67) % 160, 90 + ((number * 31) % 90), 120 + ((number * 53) % 80)];
  const boxes: Box[] = [
    [0, 0, WIDTH, HEIGHT, PAPER],
    [0, 0, WIDTH, 64, band],
    // The photograph: background, face, shoulders.
    [40, 104, 160, 200, [214, 222, 228]],
    [85, 134, 70, 84, [196, 160, 132]],
    [65, 228, 110, 76, band],
    ...[0, 1, 2, 3, 4].map(
      (line): Box => [240, 116 + line * 38, 140 + ((number * 29 + line * 71) % 200), 14, INK],
    ),
    ...[340, 364].map((y): Box => [40, y, 560, 8, INK]),
  ];
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixelsOf(boxes))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A row begins with the number of its filter: none. */
function pixelsOf(boxes: readonly Box[]): Buffer {
  const rowBytes = 1 + WIDTH * 3;
  const pixels = Buffer.alloc(rowBytes * HEIGHT);
  for (const [left, top, width, height, colour] of boxes)
    for (let y = top; y < top + height; y += 1)
      for (let x = left; x < left + width; x += 1) pixels.set(colour, y * rowBytes + 1 + x * 3);
  return pixels;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
