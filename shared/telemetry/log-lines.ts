/**
 * Writes log lines to standard output in blocks. pino's destination buffers too, but recomputes the size of its buffer
 * for each line, at four times the cost of making the line.
 */
import { type DestinationStream, pino } from "pino";

/** A block is written after this long or when it is full; an exit or a fatal error writes the rest. */
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

  // Synchronous, so that written lines survive even if the process ends right after.
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
