/** A picture that looks like an identity card from afar, in a colour of its own, as PNG. */
import { crc32, deflateSync } from "node:zlib";

const WIDTH = 640;
const HEIGHT = 400;
type Colour = readonly [red: number, green: number, blue: number];
type Box = { x: number; y: number; width: number; height: number; colour: Colour };

const PAPER: Colour = [244, 241, 232];
const INK: Colour = [70, 78, 88];
const FACE: Colour = [196, 160, 132];

export function samplePicture(number: number): Buffer<ArrayBuffer> {
  const band: Colour = [(number * 67) % 160, 90 + ((number * 31) % 90), 120 + ((number * 53) % 80)];
  const boxes: Box[] = [
    { x: 0, y: 0, width: WIDTH, height: 64, colour: band },
    { x: 40, y: 104, width: 160, height: 200, colour: [214, 222, 228] },
    { x: 85, y: 134, width: 70, height: 84, colour: FACE },
    { x: 65, y: 228, width: 110, height: 76, colour: band },
    ...[0, 1, 2, 3, 4].map((line) => ({
      x: 240,
      y: 116 + line * 38,
      width: 140 + ((number * 29 + line * 71) % 200),
      height: 14,
      colour: INK,
    })),
    ...[0, 1].map((line) => ({ x: 40, y: 340 + line * 24, width: 560, height: 8, colour: INK })),
  ];
  const rows = Array.from({ length: HEIGHT }, (_, y) => rowOf(y, boxes));
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A row begins with the number of its filter: none. */
function rowOf(y: number, boxes: readonly Box[]): Buffer {
  const row = Buffer.alloc(1 + WIDTH * 3);
  const paint = (x: number, width: number, colour: Colour) => {
    for (let each = x; each < x + width; each += 1) row.set(colour, 1 + each * 3);
  };
  paint(0, WIDTH, PAPER);
  for (const box of boxes) if (y >= box.y && y < box.y + box.height) paint(box.x, box.width, box.colour);
  return row;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
