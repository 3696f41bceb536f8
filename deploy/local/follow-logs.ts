/** Prints the services' log lines to the terminal; the files keep all of them. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { prettyFactory } from "pino-pretty";

const EVERY_MS = 250;
/** A warning that is repeated during an outage would hide all others. */
const REPEAT_AFTER_MS = 10_000;
const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

export type LogFollower = { stop(): void };

type Options = { files: readonly string[]; verbose: boolean; color: boolean; write(text: string): void };

export function followLogs({ files, verbose, color, write }: Options): LogFollower {
  const pretty = prettyFactory({
    colorize: color,
    ignore: "service,pid,hostname,nodeID,ns,ver",
    messageFormat: "{service} {msg}",
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
  });
  const least = LEVELS.indexOf(verbose ? "trace" : "warn");
  const isRepeated = repetitions();
  const show = (line: string) => {
    const level = levelOf(line);
    // Lines that are not JSON, such as a crash, are always shown.
    if (level === null) write(`${line}\n`);
    else if (level >= least && (verbose || !isRepeated(line))) write(pretty(line));
  };
  const tails = files.map((file) => tailOf(file, show));
  const timer = setInterval(() => {
    for (const read of tails) read();
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      for (const read of tails) read();
    },
  };
}

function levelOf(line: string): number | null {
  const label = /^\{"level":"(\w+)"/.exec(line)?.[1];
  return label === undefined ? null : LEVELS.indexOf(label);
}

function repetitions(): (line: string) => boolean {
  const shownAt = new Map<string, number>();
  return (line) => {
    const key = line.replace(/"time":"[^"]*"/, "");
    const repeated = performance.now() - (shownAt.get(key) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS;
    if (!repeated) shownAt.set(key, performance.now());
    if (shownAt.size > 1_000) shownAt.clear();
    return repeated;
  };
}

function tailOf(file: string, show: (line: string) => void): () => void {
  let offset = sizeOf(file);
  let rest = "";
  return () => {
    const size = sizeOf(file);
    if (size < offset) offset = 0;
    if (size === offset) return;
    const added = Buffer.alloc(size - offset);
    const handle = openSync(file, "r");
    const count = readSync(handle, added, 0, added.length, offset);
    closeSync(handle);
    offset += count;
    const lines = (rest + added.toString("utf8", 0, count)).split("\n");
    rest = lines.pop() ?? "";
    lines.filter((line) => line !== "").forEach(show);
  };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
