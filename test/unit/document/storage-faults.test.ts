/** A storage that misbehaves while a file is read: never a verdict on half a file, never an endless wait. */
import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { examineFile } from "../../../services/document/file/examine-file.ts";
import { NO_SCANNER } from "../../../services/document/file/scanner.ts";
import { createStorage, type Storage } from "../../../services/document/storage/storage.ts";
import { listen } from "../../support/servers/listen.ts";

const document = {
  objectKey: "p/c/business/d/Other.pdf",
  contentType: "application/pdf",
  wantedSizeBytes: null,
  wantedSha256: null,
} as const;
const file = {
  sizeBytes: 1_000,
  contentType: "application/pdf",
  etag: "e1",
  versionId: null,
  uploadedAt: new Date(0),
};
const headers = { "Content-Length": "1000", ETag: '"e1"', "Content-Type": "application/pdf" };

let server: Awaited<ReturnType<typeof listen>>;
let storage: Storage;

async function startStorage(listener: RequestListener): Promise<void> {
  server = await listen(createServer(listener));
  storage = createStorage({
    s3Endpoint: `http://127.0.0.1:${server.port}`,
    s3PublicEndpoint: "",
    s3Region: "us-east-1",
    s3Bucket: "documents",
    s3AccessKeyId: "key",
    s3SecretAccessKey: "secret",
    s3PathStyle: true,
  });
}

afterEach(async () => {
  storage.close();
  await server.close();
});

const examine = (signal?: AbortSignal) =>
  examineFile({ storage, scanner: NO_SCANNER }, document.objectKey, document, file, signal);

test("falls silent in the middle of the file: Service.Unavailable when the time is up", async () => {
  await startStorage((_, response) => void response.writeHead(200, headers).write("%PDF-1.7 and then"));
  await expect(examine(AbortSignal.timeout(200))).rejects.toMatchObject({ type: "Service.Unavailable" });
});

test("breaks off in the middle of the file: Service.Unavailable", async () => {
  await startStorage((_, response) => {
    response.writeHead(200, headers).write("%PDF-1.7 and then", () => response.destroy());
  });
  await expect(examine()).rejects.toMatchObject({ type: "Service.Unavailable" });
});

test("sends less than it said before: Service.Unavailable", async () => {
  await startStorage((_, response) => {
    response.writeHead(200, { ...headers, "Content-Length": "9" }).end("%PDF-1.7\n");
  });
  await expect(examine()).rejects.toMatchObject({ type: "Service.Unavailable" });
});

test("ignores If-Match and sends another file: is no verdict on this one", async () => {
  await startStorage((request, response) => {
    expect(request.headers["if-match"]).toBe('"e1"');
    response.writeHead(200, { ...headers, ETag: '"e2"' }).end(Buffer.alloc(1_000, "x"));
  });
  expect(await examine()).toBeNull();
});

const pdf = samplePdf();
const whole = { ...file, sizeBytes: pdf.length };
const wholeHeaders = { ...headers, "Content-Length": String(pdf.length) };
const damaged = (at: number): Buffer =>
  Buffer.from(pdf.map((byte, index) => (index === at ? byte ^ 1 : byte)));

/** The bodies of the answers in turn; the last one is repeated. The ETag is the first argument. */
async function startStorageWith(etag: string, bodies: readonly Buffer[]): Promise<() => number> {
  let answers = 0;
  await startStorage((request, response) => {
    const body = bodies[answers] ?? bodies.at(-1);
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
    const part = body?.subarray(Number(from ?? 0), Number(to ?? body.length) + 1);
    const length = { "Content-Length": String(part?.length) };
    response.writeHead(from ? 206 : 200, { ...wholeHeaders, ...length, ETag: `"${etag}"` }).end(part);
    answers += 1;
  });
  return () => answers;
}

const digest = (algorithm: string, bytes: Buffer): string =>
  createHash(algorithm).update(bytes).digest("hex");
const examineWith = (etag: string) =>
  examineFile({ storage, scanner: NO_SCANNER }, document.objectKey, document, { ...whole, etag });

describe("storage that sends damaged bytes", () => {
  const md5 = digest("md5", pdf);

  test("a whole file, its ETag the MD5: is read once, and its table again", async () => {
    const answers = await startStorageWith(md5, [pdf]);
    expect(await examineWith(md5)).toEqual({ sha256: digest("sha256", pdf) });
    expect(answers()).toBe(2);
  });

  test.each([
    ["in its middle", 500],
    ["in its first byte", 0],
  ])("damaged %s once: no verdict, Service.Unavailable", async (_, at) => {
    await startStorageWith(md5, [damaged(at), pdf]);
    await expect(examineWith(md5)).rejects.toMatchObject({ type: "Service.Unavailable" });
  });

  test("a damaged table of a whole PDF: is read again", async () => {
    await startStorageWith(md5, [pdf, Buffer.alloc(pdf.length, "x"), pdf]);
    expect(await examineWith(md5)).toEqual({ sha256: digest("sha256", pdf) });
  });

  test("an ETag that is no MD5: two equal reads are a verdict", async () => {
    const answers = await startStorageWith("e1", [pdf]);
    expect(await examineWith("e1")).toEqual({ sha256: digest("sha256", pdf) });
    expect(answers()).toBe(3);
  });

  test("an ETag that is no MD5, and a replaced file at the second read: no verdict", async () => {
    let answers = 0;
    await startStorage((_, response) => {
      answers += 1;
      if (answers === 1) response.writeHead(200, wholeHeaders).end(pdf);
      else response.writeHead(412).end();
    });
    expect(await examineWith("e1")).toBeNull();
  });
});

test.each([404, 412])("answers %i: the file is gone", async (status) => {
  await startStorage((_, response) => void response.writeHead(status).end());
  expect(await examine()).toBeNull();
});

test.each([403, 500, 503])(
  "answers %i: Service.Unavailable, to the reader and to the probe",
  async (status) => {
    await startStorage((_, response) => void response.writeHead(status).end());
    const away = { type: "Service.Unavailable", code: 503 };
    await expect(examine()).rejects.toMatchObject(away);
    await expect(storage.describe(document.objectKey)).rejects.toMatchObject(away);
    await expect(storage.answers()).rejects.toMatchObject(away);
  },
);

test("a wrong first byte: the rest of the file is not read", async () => {
  let sent = 0;
  await startStorage((_, response) => {
    response.writeHead(200, headers).write("GIF89a and more");
    response.on("close", () => {
      sent += 1;
    });
  });
  expect(await examine()).toEqual({ rejected: "WrongType" });
  await new Promise<void>((resolve) => {
    const look = () => (sent > 0 ? resolve() : setImmediate(look));
    look();
  });
});

test("a folder of several pages is cleared to its last file, but for the one that stays", async () => {
  const pages: Record<string, string[]> = { "": ["p/a", "p/b"], second: ["p/kept", "p/c"] };
  const removed: string[] = [];
  await startStorage((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://storage");
    if (request.method === "DELETE") removed.push(pathname);
    const token = searchParams.get("continuation-token") ?? "";
    const keys = (pages[token] ?? []).map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    const next = token ? "" : "<NextContinuationToken>second</NextContinuationToken>";
    const list = `<ListBucketResult><IsTruncated>${!token}</IsTruncated>${next}${keys}</ListBucketResult>`;
    response.writeHead(200, { "Content-Type": "application/xml" }).end(request.method === "GET" ? list : "");
  });
  await storage.clear("p/", "p/kept");
  expect(removed).toEqual(["/documents/p/a", "/documents/p/b", "/documents/p/c"]);
});
