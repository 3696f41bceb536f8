/**
 * Pure: how events are packed into JetStream messages. Events of one partner and type that are published together share
 * a message, one line each, because a message costs the same with one event or twenty.
 */

type Leaving = { eventId: string; eventType: string; partnerId: string; body: string };
/** One line of a message that arrived. */
export type ArrivedEvent = { text: string; source: string | null; traceparent: string | null };

const SOURCE_HEADER = "Pbo-Source";
/** One per line of the body, separated by commas. */
const TRACE_HEADER = "traceparent";

/** Small, because a message that cannot be handled delays all its events until they are published again. */
export const MAX_EVENTS_IN_MESSAGE = 25;
const MAX_CHARACTERS = 256 * 1_024;

export function groupForMessages<T extends Leaving>(entries: readonly T[]): T[][] {
  const open = new Map<string, { group: T[]; characters: number }>();
  const groups: T[][] = [];
  for (const entry of entries) {
    const kind = `${entry.partnerId} ${entry.eventType}`;
    const last = open.get(kind);
    const characters = (last?.characters ?? 0) + entry.body.length;
    if (last && last.group.length < MAX_EVENTS_IN_MESSAGE && characters <= MAX_CHARACTERS) {
      last.group.push(entry);
      last.characters = characters;
      continue;
    }
    const group = [entry];
    groups.push(group);
    open.set(kind, { group, characters: entry.body.length });
  }
  return groups;
}

/** Differs from the id of any event published alone, or the server would drop one as a duplicate. */
export function messageIdOf([first, ...others]: readonly Pick<Leaving, "eventId">[]): string {
  if (!first) throw new Error("A message needs an event.");
  return others.length === 0 ? first.eventId : `${first.eventId}+${others.length}`;
}

export function writeMessage(
  entries: readonly { body: string; traceparent: string | null }[],
  source: string,
): { body: string; headers: Record<string, string> } {
  const traces = entries.map(({ traceparent }) => traceparent ?? "");
  return {
    body: entries.map(({ body }) => body).join("\n"),
    headers: {
      [SOURCE_HEADER]: source,
      ...(traces.some(Boolean) ? { [TRACE_HEADER]: traces.join(",") } : {}),
    },
  };
}

export function readMessage(message: {
  text(): string;
  header(name: string): string | null;
}): ArrivedEvent[] {
  const source = message.header(SOURCE_HEADER);
  const traces = message.header(TRACE_HEADER)?.split(",") ?? [];
  return message
    .text()
    .split("\n")
    .map((text, line) => ({ text, source, traceparent: traces[line] || null }));
}
