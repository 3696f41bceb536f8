/** The local S3 shows no part of an upload until it is complete. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import S3rver, { type S3Store } from "@20minutes/s3rver";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { repairS3 } from "../../../deploy/local/servers/s3-repairs.ts";

let directory: string;
let store: S3Store;
let typeWritten: () => void;
let bytesThere: Promise<void>;

const upload = (content: unknown) =>
  store.putObject({
    bucket: "b",
    key: "k/file.pdf",
    content,
    metadata: { "content-type": "application/pdf" },
  });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "s3-repairs-"));
  const server = new S3rver({ directory, silent: true });
  store = server.store;
  const putMetadata = store.putMetadata.bind(store);
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  typeWritten = held.resolve;
  bytesThere = reached.promise;
  store.putMetadata = async (...about) => {
    reached.resolve();
    await held.promise;
    return putMetadata(...about);
  };
  repairS3(server);
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a read between bytes and type is answered with both", async () => {
  const stored = upload(Readable.from([Buffer.from("%PDF")]));
  await bytesThere;
  const seen = store.getMetadata("b", "k/file.pdf");
  typeWritten();
  expect(await seen).toMatchObject({ "content-type": "application/pdf" });
  expect(await stored).toMatchObject({ size: 4 });
});

test("an upload that breaks off leaves nothing", async () => {
  const broken = Readable.from(
    (function* () {
      yield Buffer.from("%P");
      throw new Error("gone");
    })(),
  );
  await expect(upload(broken)).rejects.toThrow("gone");
  await expect(store.getMetadata("b", "k/file.pdf")).rejects.toMatchObject({ code: "ENOENT" });
});
