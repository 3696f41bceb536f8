/** Small pictures that any viewer opens, and their parts to build wrong ones from. */
import { crc32, deflateSync } from "node:zlib";

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export function pngHeader(width: number, height: number, depth = 8, colour = 0): Buffer {
  const content = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, colour, 0, 0, 0]);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  return pngChunk("IHDR", content);
}

/** Grey, two by two. */
export const aPng = (): Buffer =>
  Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(2, 2),
    pngChunk("tEXt", Buffer.from("Software\0ours")),
    pngChunk("IDAT", deflateSync(Buffer.from([0, 10, 20, 0, 30, 40]))),
    pngChunk("IEND"),
  ]);

export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

export function jpegFrame(width: number, height: number, components = 1): Buffer {
  const content = Buffer.alloc(6 + 3 * components, 1);
  content[0] = 8;
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  content[5] = components;
  return jpegSegment(0xc0, content);
}

export const JPEG_START = Buffer.from([0xff, 0xd8]);
export const JPEG_END = Buffer.from([0xff, 0xd9]);
export const JPEG_APP = jpegSegment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1"));
export const JPEG_TABLE = jpegSegment(0xdb, Buffer.alloc(65, 1));
/** Begins with a length like the others and goes on to the end, with 0xff escaped. */
export const JPEG_SCAN = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
]);

export const aJpeg = (): Buffer =>
  Buffer.concat([JPEG_START, JPEG_APP, JPEG_TABLE, jpegFrame(8, 8), JPEG_SCAN, JPEG_END]);
