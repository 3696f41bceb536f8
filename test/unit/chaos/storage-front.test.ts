/** Storage's answers through the laboratory's proxy: whole, refused, cut or damaged. */
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startStorageFront } from "../../chaos/lab/storage-front.ts";
import { listen } from "../../support/servers/listen.ts";

const OBJECT = Buffer.alloc(100_000, "abcdefg");
let storage: Awaited<ReturnType<typeof listen>>;
let front: Awaited<ReturnType<typeof startStorageFront>>;

beforeAll(async () => {
  storage = await listen(
    createServer((request, response) => {
      response.writeHead(200, { "Content-Length": OBJECT.length, "X-Host": request.headers.host });
      response.end(OBJECT);
    }),
  );
  front = await startStorageFront(`http://127.0.0.1:${storage.port}`);
});
afterAll(() => Promise.all([front.close(), storage.close()]));

const read = async () => Buffer.from(await (await fetch(front.url)).arrayBuffer());

test("passed on: the same bytes, and the host that the caller signed", async () => {
  front.set("pass");
  expect((await fetch(front.url)).headers.get("x-host")).toBe(new URL(front.url).host);
  expect((await read()).equals(OBJECT)).toBe(true);
});

test("damaged: as many bytes, and others at each read", async () => {
  front.set("damage");
  const [one, two] = [await read(), await read()];
  expect([one.length, two.length]).toEqual([OBJECT.length, OBJECT.length]);
  expect([one.equals(OBJECT), one.equals(two)]).toEqual([false, false]);
});

test("cut: the answer ends before the length that it announced", async () => {
  front.set("cut");
  await expect(read()).rejects.toThrow("terminated");
});

test("503: refused as by a storage that has too much to do", async () => {
  front.set("503");
  const answer = await fetch(front.url, { method: "PUT", body: "file" });
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("SlowDown")]);
});
