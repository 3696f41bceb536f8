import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { createDocumentsPage } from "../../../gateway/http/documents-page.ts";

test("documents that could not be made are made again for the next caller, and then no more", async () => {
  let made = 0;
  const serve = createDocumentsPage(async () => {
    made += 1;
    if (made === 1) throw new Error("no thread");
    return [{ path: "/a.json", type: "application/json", text: "{}" }];
  });
  const server = createServer((request, response) => {
    serve(request as Parameters<typeof serve>[0], response, "/a.json").catch((error) =>
      response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = [];
  for (let turn = 0; turn < 3; turn += 1) answers.push(await (await fetch(url)).text());
  server.close();
  expect([answers, made]).toEqual([["Error: no thread", "{}", "{}"], 2]);
});
