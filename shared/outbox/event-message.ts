/**
 * Events of one subject that are published in the same turn of the event loop share a message, one line each: a message
 * costs the server the same with one event or twenty.
 */
import type { JetStream } from "../jetstream/jetstream.ts";

/** `body` has no line break: it is JSON as it was stringified. */
type Line = { id: string; body: string; traceparent: string | null };
type Pack = { lines: Line[]; characters: number; stored: Promise<{ sequence: number }> };

/** Small, because a message that fails delays all its events. */
const MAX_LINES = 25;
const MAX_CHARACTERS = 256 * 1_024;
/** A line has its own trace; the header lists them in the order of the lines. */
const TRACE_HEADER = "traceparent";

export function createPackedPublish({ publish }: Pick<JetStream, "publish">) {
  const open = new Map<string, Pack>();

  function openPack(subject: string): Pack {
    const lines: Line[] = [];
    const stored = new Promise((resolve) => setImmediate(resolve)).then(() => {
      if (open.get(subject)?.lines === lines) open.delete(subject);
      return publish(subject, lines.map(({ body }) => body).join("\n"), {
        id: packId(lines),
        headers: traceHeader(lines),
      });
    });
    const pack = { lines, characters: 0, stored };
    open.set(subject, pack);
    return pack;
  }

  return (subject: string, line: Line): Promise<{ sequence: number }> => {
    const last = open.get(subject);
    const hasRoom =
      last && last.lines.length < MAX_LINES && last.characters + line.body.length <= MAX_CHARACTERS;
    const pack = hasRoom ? last : openPack(subject);
    pack.lines.push(line);
    pack.characters += line.body.length;
    return pack.stored;
  };
}

/** Differs from the id of an event published alone, or the server would drop one of the messages as a duplicate. */
const packId = ([first, ...others]: readonly Line[]): string =>
  others.length === 0 ? `${first?.id}` : `${first?.id}+${others.length}`;

function traceHeader(lines: readonly Line[]): Record<string, string> {
  const traces = lines.map(({ traceparent }) => traceparent ?? "");
  return traces.some(Boolean) ? { [TRACE_HEADER]: traces.join(",") } : {};
}

export function readLines(message: { text(): string; header(name: string): string | null }) {
  const traces = message.header(TRACE_HEADER)?.split(",") ?? [];
  return message
    .text()
    .split("\n")
    .map((body, index) => ({ body, traceparent: traces[index] || null }));
}
