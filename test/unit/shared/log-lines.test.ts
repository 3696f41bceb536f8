import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { gatherLines } from "../../../shared/telemetry/log-lines.ts";

function aStage() {
  const written: string[] = [];
  const blocks = { write: (block: string) => written.push(block), flushSync: () => written.push("flushed") };
  return { written, lines: gatherLines(blocks) };
}

test("lines come in order, in one block, soon after the first", async () => {
  const { written, lines } = aStage();
  lines.write("a\n");
  lines.write("b\n");
  expect(written).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(written).toEqual(["a\nb\n"]);
});

test("a full block does not wait", () => {
  const { written, lines } = aStage();
  const line = `${"x".repeat(1_000)}\n`;
  for (let i = 0; i < 40; i += 1) lines.write(line);
  expect(written.map((block) => block.length)).toEqual([16_016, 16_016]);
});

test("flushSync writes what is there", () => {
  const { written, lines } = aStage();
  lines.write("a\n");
  lines.flushSync();
  expect(written).toEqual(["a\n", "flushed"]);
});

/** A process that logs, and then ends in some way. */
const ends = (how: string) =>
  spawnSync(process.execPath, [
    "--input-type=module",
    "--eval",
    `import { createLogger } from ${JSON.stringify(new URL("../../../shared/telemetry/logger.ts", import.meta.url).href)};
     const logger = createLogger({ logLevel: "info", process: "gateway" });
     for (let i = 0; i < 500; i += 1) logger.info({ i }, "line");
     ${how}`,
  ])
    .stdout.toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { i?: number; msg: string });

test.each([
  ["by itself", ""],
  ["by process.exit", "process.exit(0);"],
  ["by an error nobody caught", "throw new Error('over');"],
])("nothing is lost when the process ends %s", (_, how) => {
  expect(ends(how).map(({ i }) => i)).toEqual(Array.from({ length: 500 }, (_, i) => i));
});

test("a fatal line is out before the process can be killed", () => {
  expect(ends(`logger.fatal("over"); process.kill(process.pid, "SIGKILL");`).at(-1)?.msg).toBe("over");
});
