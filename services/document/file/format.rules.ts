/** Common parts of the format readers. They read strangers' files, so memory and work are bounded. */

/** huge: a picture of too many pixels to open. lookAt: the verdict depends on the bytes at this offset. */
export type FormatVerdict = "fine" | "wrong" | "huge" | { lookAt: number };

/** Yields a number of bytes and receives exactly these, or ANY and receives the next ones; an empty buffer is the end. */
export type FormatReader = Generator<number, FormatVerdict, Buffer>;

export const ANY = 0;

/** Twice a sheet of A3 scanned at 600 dots per inch: a small file can ask for gigabytes when it is opened. */
const MAX_PIXELS = 150_000_000;

export function judgeSize(width: number, height: number): "wrong" | "huge" | null {
  if (width === 0 || height === 0) return "wrong";
  return width * height > MAX_PIXELS ? "huge" : null;
}
