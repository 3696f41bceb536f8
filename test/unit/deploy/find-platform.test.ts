import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { findPlatform } from "../../../deploy/lib/find-platform.ts";
import { listen } from "../../support/servers/listen.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "pbo-find-"));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

async function aServer() {
  const { port, close } = await listen(createServer((_, response) => response.end()));
  const baseUrl = `http://127.0.0.1:${port}`;
  writeFileSync(join(stateDir, "demo.json"), JSON.stringify({ baseUrl, partners: [], analysts: [] }));
  return { baseUrl, close };
}

describe("findPlatform", () => {
  test("with a platform that answers: its demo data", async () => {
    const { baseUrl, close } = await aServer();
    expect(await findPlatform(stateDir)).toMatchObject({ baseUrl });
    await close();
  });

  test("with a file that is broken: names it, and how to begin anew", async () => {
    writeFileSync(join(stateDir, "demo.json"), '{"baseUrl":');
    await expect(findPlatform(stateDir)).rejects.toThrow(
      new RegExp(`demo\\.json cannot be read\\.\\nStop npm start, remove ${stateDir} and start it again`),
    );
  });

  test("with a key that is gone: names it, and how to begin anew", async () => {
    const { baseUrl, close } = await aServer();
    const partners = [{ privateKeyFile: join(stateDir, "gone.pem") }];
    writeFileSync(join(stateDir, "demo.json"), JSON.stringify({ baseUrl, partners, analysts: [] }));
    await expect(findPlatform(stateDir)).rejects.toThrow(/gone\.pem\.\nStop npm start, remove/);
    await close();
  });

  test("where none was ever started: says to run npm start", async () => {
    await expect(findPlatform(stateDir)).rejects.toThrow(/No local platform was found.*\nRun npm start/);
  });

  test("with one that was stopped: says where nothing answers, and to run npm start", async () => {
    const { baseUrl, close } = await aServer();
    await close();
    await expect(findPlatform(stateDir)).rejects.toThrow(
      new RegExp(`does not answer at ${baseUrl}\\.\\nRun npm start`),
    );
  });
});
