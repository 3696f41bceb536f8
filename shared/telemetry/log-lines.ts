/**
 * Standard output for log lines, in blocks. pino's destination gathers too, but it measures its whole block again for
 * each line: four times the cost of making the line.
 */
import { type DestinationStream, pino } from "pino";

/** Lines wait at most this long, or until they fill a block; an exit or a fatal error writes what is left. */
const FLUSH_MS = 100;
const BLOCK_LENGTH = 16_000;

type Blocks = { write(block: string): unknown; flushSync(): void };

export function gatherLines(blocks?: Blocks): DestinationStream & { flushSync(): void } {
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (length === 0) return;
    const block = lines.join("");
    lines = [];
    length = 0;
    destination.write(block);
  }

  // One short write for many lines: what is written is out, even if the process ends in the next moment.
  const destination = blocks ?? pino.destination({ fd: 1, sync: true });
  process.on("exit", flush);

  return {
    write(line) {
      lines.push(line);
      length += line.length;
      if (length >= BLOCK_LENGTH) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flushSync() {
      flush();
      destination.flushSync();
    },
  };
}
