import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { createFormatCheck } from "../../../services/document/file/format-check.rules.ts";
import { isXref, XREF_BYTES } from "../../../services/document/file/pdf.rules.ts";
import type { ContentType } from "../../../shared/contract/vocabularies.ts";
import {
  aJpeg,
  aPng,
  JPEG_APP,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  JPEG_TABLE,
  jpegFrame,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
} from "../../support/builders/pictures.ts";
import { several } from "../../support/builders/records.ts";

/** As the service does, with the file in parts that end at these places. */
function judge(bytes: Buffer, contentType: ContentType, ends: readonly number[] = []): string {
  const check = createFormatCheck(contentType);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    check.push(bytes.subarray(start, end));
    start = Math.max(start, end);
  }
  const verdict = check.end();
  if (typeof verdict === "string") return verdict;
  return isXref(bytes.subarray(verdict.lookAt, verdict.lookAt + XREF_BYTES)) ? "fine" : "wrong";
}

const PDF = samplePdf();
const PNG = aPng();
const JPEG = aJpeg();
const pdfWith = (part: string | RegExp, instead: string) =>
  Buffer.from(PDF.toString("latin1").replace(part, instead), "latin1");
const withXrefAt = (place: string) => pdfWith(/startxref\n\d+/, `startxref\n${place}`);
const zip = Buffer.concat([Buffer.from("PK\u0003\u0004"), randomBytes(3_000)]);

/** The cross references as a stream, as most programs write them today. */
const withXrefStream = (dictionary: string) => {
  const objects = "%PDF-1.5\n1 0 obj\n<< /Type /Catalog >>\nendobj\n";
  const xref = `2 0 obj\n<< ${dictionary} /Length 4 >>\nstream\nabcd\nendstream\nendobj\n`;
  return Buffer.from(`${objects}${xref}startxref\n${objects.length}\n%%EOF`);
};

describe("a PDF", () => {
  test.each<[string, Buffer, string]>([
    ["a whole one", PDF, "fine"],
    ["of the largest size", samplePdf("Large", 20 * 1024 * 1024), "fine"],
    ["with cross references in a stream", withXrefStream("/Type /XRef /Root 1 0 R"), "fine"],
    ["with Windows line ends at its end", pdfWith(/\n%%EOF\n$/, "\r\n%%EOF\r\n"), "fine"],
    ["with its end in the last kilobyte", Buffer.concat([PDF, Buffer.alloc(1_018)]), "fine"],
    ["with its end a byte before that", Buffer.concat([PDF, Buffer.alloc(1_019)]), "wrong"],
    ["saved again, with a second end", pdfWith(/(startxref.*)$/s, "$1$1"), "fine"],
    ["five bytes", Buffer.from("%PDF-"), "wrong"],
    ["header and end alone", Buffer.from("%PDF-1.7\n%%EOF\n"), "wrong"],
    ["a header and noise", Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(5_000)]), "wrong"],
    ["half of it", PDF.subarray(0, PDF.length / 2), "wrong"],
    ["without its last line", PDF.subarray(0, PDF.length - 6), "wrong"],
    ["with much appended", Buffer.concat([PDF, zip]), "wrong"],
    ["behind white space", Buffer.concat([Buffer.from(" "), PDF]), "wrong"],
    ["behind HTML", Buffer.concat([Buffer.from("<html><script>x()</script>"), PDF]), "wrong"],
    ["a version that does not exist", pdfWith("%PDF-1.7", "%PDF-9.9"), "wrong"],
    ["cross references beyond its end", withXrefAt("99999999"), "wrong"],
    ["cross references at a number of twenty digits", withXrefAt("9".repeat(20)), "wrong"],
    ["cross references where there are none", withXrefAt("20"), "wrong"],
    ["a trailer without a root", pdfWith("/Root", "/Boot"), "wrong"],
    ["no trailer", pdfWith("trailer", "trader!"), "wrong"],
    ["a stream of something else", withXrefStream("/Type /ObjStm /Root 1 0 R"), "wrong"],
    ["a stream without a root", withXrefStream("/Type /XRef"), "wrong"],
    ["a ZIP", zip, "wrong"],
    ["a PNG", PNG, "wrong"],
    ["nothing", Buffer.alloc(0), "wrong"],
  ])("%s", (_, bytes, verdict) => {
    expect(judge(bytes, "application/pdf")).toBe(verdict);
  });

  test("with a table longer than is looked at: its trailer is not missed", () => {
    const table = `xref\n0 60000\n${"0000000000 65535 f \n".repeat(60_000)}`;
    const text = `%PDF-1.7\n${table}trailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n`;
    expect(judge(Buffer.from(text), "application/pdf")).toBe("fine");
  });
});

test.each([
  ["a table", "xref\n0 1\n0000000000 65535 f \n", "trailer\n<< "],
  ["a stream", "", "2 0 obj\n<< /Type /XRef "],
])("the root of %s is looked for in 4,096 characters", (_, before, dictionary) => {
  const withRootAt = (end: number) =>
    isXref(Buffer.from(`${before}${dictionary.padEnd(end - "/Root".length)}/Root 1 0 R >>`));
  expect([4_096, 4_097].map(withRootAt)).toEqual([true, false]);
});

test("a table without a trailer may be longer than the megabyte that is looked at, and no shorter", () => {
  const table = (length: number) => isXref(Buffer.from("xref\n0 1\n".padEnd(length)));
  expect([1_048_575, 1_048_576].map(table)).toEqual([false, true]);
});

const png = (...parts: Buffer[]) => Buffer.concat([PNG_SIGNATURE, ...parts]);
const pixels = pngChunk("IDAT", Buffer.from("any"));
const end = pngChunk("IEND");
const withWrongSum = (chunk: Buffer) =>
  Buffer.concat([chunk.subarray(0, -1), Buffer.from([(chunk.at(-1) ?? 0) ^ 1])]);

const withMore = (chunk: Buffer) => pngChunk("IHDR", Buffer.concat([chunk.subarray(8, -4), Buffer.alloc(1)]));

describe("a PNG", () => {
  test.each<[string, Buffer, string]>([
    ["a whole one", PNG, "fine"],
    ["with pixels in many chunks", png(pngHeader(1, 1), ...several(3_000, () => pixels), end), "fine"],
    ["with a large chunk", png(pngHeader(9, 9), pngChunk("IDAT", randomBytes(300_000)), end), "fine"],
    ["with more behind its end", Buffer.concat([PNG, zip]), "fine"],
    ["150 million pixels", png(pngHeader(15_000, 10_000), pixels, end), "fine"],
    ["one pixel more", png(pngHeader(150_000_001, 1), pixels, end), "huge"],
    ["one more row", png(pngHeader(15_000, 10_001), pixels, end), "huge"],
    ["the most that its header can say", png(pngHeader(0xffffffff, 0xffffffff), pixels, end), "huge"],
    ["its signature alone", PNG_SIGNATURE, "wrong"],
    ["half of its signature", PNG_SIGNATURE.subarray(0, 7), "wrong"],
    ["its signature and noise", png(randomBytes(500)), "wrong"],
    ["without its end", PNG.subarray(0, -12), "wrong"],
    ["without its last byte", PNG.subarray(0, -1), "wrong"],
    ["without pixels", png(pngHeader(2, 2), end), "wrong"],
    ["with empty pixels", png(pngHeader(2, 2), pngChunk("IDAT"), end), "wrong"],
    ["with pixels before its header", png(pixels, pngHeader(2, 2), end), "wrong"],
    ["with two headers", png(pngHeader(2, 2), pngHeader(2, 2), pixels, end), "wrong"],
    ["no width", png(pngHeader(0, 2), pixels, end), "wrong"],
    ["a depth that its colours cannot have", png(pngHeader(2, 2, 4, 2), pixels, end), "wrong"],
    ["an unknown type of colour", png(pngHeader(2, 2, 8, 5), pixels, end), "wrong"],
    ["a header of another length", png(withMore(pngHeader(2, 2)), pixels, end), "wrong"],
    ["with one byte of pixels", png(pngHeader(2, 2), pngChunk("IDAT", Buffer.from("x")), end), "fine"],
    ["a wrong checksum", png(pngHeader(2, 2), withWrongSum(pixels), end), "wrong"],
    [
      "a chunk that claims four gigabytes",
      png(pngHeader(2, 2), Buffer.from([255, 255, 255, 255]), Buffer.from("IDATx")),
      "wrong",
    ],
    ["a chunk whose name is none", png(pngHeader(2, 2), pngChunk("I AT", Buffer.from("x")), end), "wrong"],
    ["an end with content", png(pngHeader(2, 2), pixels, pngChunk("IEND", Buffer.from("x"))), "wrong"],
    ["a JPEG", JPEG, "wrong"],
  ])("%s", (_, bytes, verdict) => {
    expect(judge(bytes, "image/png")).toBe(verdict);
  });
});

test("the depths that each type of colour of a PNG can have", () => {
  const depthsOf = (colour: number) =>
    Array.from({ length: 20 }, (_, depth) => depth).filter(
      (depth) => judge(png(pngHeader(2, 2, depth, colour), pixels, end), "image/png") === "fine",
    );
  expect([0, 1, 2, 3, 4, 5, 6, 7].map(depthsOf)).toEqual([
    [1, 2, 4, 8, 16],
    [],
    [8, 16],
    [1, 2, 4, 8],
    [8, 16],
    [],
    [8, 16],
    [],
  ]);
});

test("compression, filter and interlacing of a PNG: the ones that exist", () => {
  const header = pngHeader(2, 2).subarray(8, -4);
  const judgeWith = (place: number, value: number) => {
    const content = Buffer.from(header);
    content[place] = value;
    return judge(png(pngChunk("IHDR", content), pixels, end), "image/png");
  };
  expect([10, 11, 12].map((place) => [1, 2].map((value) => judgeWith(place, value)))).toEqual([
    ["wrong", "wrong"],
    ["wrong", "wrong"],
    ["fine", "wrong"],
  ]);
});

test("20,000 chunks of a PNG are the most", () => {
  const chunk = pngChunk("teSt");
  const verdicts = [19_997, 19_998].map((count) =>
    judge(png(pngHeader(2, 2), Buffer.alloc(count * chunk.length, chunk), pixels, end), "image/png"),
  );
  expect(verdicts).toEqual(["fine", "wrong"]);
});

const jpeg = (...parts: Buffer[]) => Buffer.concat([JPEG_START, ...parts]);
/** A whole picture behind these bytes. */
const behind = (bytes: Buffer) => jpeg(bytes, jpegFrame(8, 8), JPEG_SCAN, JPEG_END);
const FILL = Buffer.from([0xff, 0xff]);

describe("a JPEG", () => {
  test.each<[string, Buffer, string]>([
    ["a whole one", JPEG, "fine"],
    ["in colour, with fill bytes", jpeg(FILL, JPEG_APP, jpegFrame(8, 8, 3), JPEG_SCAN, JPEG_END), "fine"],
    ["with a thumbnail of its own in its metadata", behind(jpegSegment(0xe1, JPEG)), "fine"],
    ["with a film behind its end", Buffer.concat([JPEG, randomBytes(50_000)]), "fine"],
    ["whose segment lacks its mark", behind(JPEG_APP.subarray(1)), "wrong"],
    ["narrow and high", jpeg(jpegFrame(255, 60_000), JPEG_SCAN, JPEG_END), "fine"],
    ["wide and low", jpeg(jpegFrame(65_280, 255), JPEG_SCAN, JPEG_END), "fine"],
    ["65,535 by 65,535", jpeg(jpegFrame(65_535, 65_535), JPEG_SCAN, JPEG_END), "huge"],
    ["its first three bytes", Buffer.from([0xff, 0xd8, 0xff]), "wrong"],
    ["its first three bytes and noise", jpeg(FILL.subarray(1), Buffer.alloc(9_000, 0x41)), "wrong"],
    ["without its end", JPEG.subarray(0, -2), "wrong"],
    ["cut in the scan", JPEG.subarray(0, -5), "wrong"],
    ["cut in a table", JPEG.subarray(0, 40), "wrong"],
    ["start and end alone", jpeg(JPEG_END), "wrong"],
    ["a scan without a frame", jpeg(JPEG_TABLE, JPEG_SCAN, JPEG_END), "wrong"],
    ["two frames", jpeg(jpegFrame(8, 8), jpegFrame(8, 8), JPEG_SCAN, JPEG_END), "wrong"],
    ["no height", jpeg(jpegFrame(8, 0), JPEG_SCAN, JPEG_END), "wrong"],
    ["a frame without components", jpeg(jpegFrame(8, 8, 0), JPEG_SCAN, JPEG_END), "wrong"],
    ["a frame of another length", jpeg(jpegSegment(0xc0, Buffer.alloc(7, 3)), JPEG_SCAN, JPEG_END), "wrong"],
    ["a segment that is shorter than its length", behind(Buffer.from([0xff, 0xe0, 0, 1])), "wrong"],
    ["with an empty comment", behind(jpegSegment(0xfe, Buffer.alloc(0))), "fine"],
    ["an empty frame", jpeg(jpegSegment(0xc0, Buffer.alloc(0)), JPEG_SCAN, JPEG_END), "wrong"],
    ["a segment that does not begin as one", behind(Buffer.from([0, 0xfe, 0, 3, 0])), "wrong"],
    ["no marker where one must be", behind(Buffer.concat([JPEG_APP, Buffer.from("<script>")])), "wrong"],
    ["fill bytes without end", jpeg(Buffer.alloc(2_000_000, 0xff)), "wrong"],
    ["a PDF", PDF, "wrong"],
  ])("%s", (_, bytes, verdict) => {
    expect(judge(bytes, "image/jpeg")).toBe(verdict);
  });
});

describe("markers of a JPEG", () => {
  const all = Array.from({ length: 0xff }, (_, marker) => marker);
  const frames = all.slice(0xc0, 0xd0).filter((marker) => ![0xc4, 0xc8, 0xcc].includes(marker));

  test("frames are SOF0 to SOF15, without the three that are tables", () => {
    const content = jpegFrame(8, 8).subarray(4);
    const isFrame = (marker: number) =>
      judge(jpeg(jpegSegment(marker, content), JPEG_SCAN, JPEG_END), "image/jpeg") === "fine";
    expect(all.filter(isFrame)).toEqual(frames);
  });

  test("segments of tables and metadata may stand before the frame, and nothing else", () => {
    const mayStand = (marker: number) =>
      judge(behind(jpegSegment(marker, Buffer.from("x"))), "image/jpeg") === "fine";
    expect(all.filter(mayStand)).toEqual([0xc4, 0xc8, 0xcc, ...all.slice(0xdb)]);
  });

  test("2,000 segments are the most", () => {
    const many = (count: number) => Buffer.alloc(count * 5, jpegSegment(0xfe, Buffer.from("x")));
    const verdicts = [1_998, 1_999].map((count) => judge(behind(many(count)), "image/jpeg"));
    expect(verdicts).toEqual(["fine", "wrong"]);
  });
});

test("however a file is cut into parts: the verdict is the same", () => {
  const files: [Buffer, ContentType][] = [
    [PDF, "application/pdf"],
    [Buffer.concat([PDF, zip]), "application/pdf"],
    [withXrefStream("/Type /XRef /Root 1 0 R"), "application/pdf"],
    [PNG, "image/png"],
    [PNG.subarray(0, -1), "image/png"],
    [JPEG, "image/jpeg"],
    [JPEG.subarray(0, -1), "image/jpeg"],
  ];
  for (const [bytes, contentType] of files) {
    const whole = judge(bytes, contentType);
    expect(judge(bytes, contentType, [...bytes.keys()])).toBe(whole);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (ends) => {
        const sorted = [...ends].sort((a, b) => a - b);
        expect(judge(bytes, contentType, sorted)).toBe(whole);
      }),
      { numRuns: 40 },
    );
  }
});

test("a file with one byte changed, anywhere: a verdict and never an error", () => {
  for (const [file, contentType] of [
    [PDF, "application/pdf"],
    [PNG, "image/png"],
    [JPEG, "image/jpeg"],
  ] as const) {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 0, max: 255 }), (place, value) => {
        const changed = Buffer.from(file);
        changed[place] = value;
        expect(["fine", "wrong", "huge"]).toContain(judge(changed, contentType));
      }),
    );
  }
});
