/** Pure: how an event becomes a JetStream message and is read again. */

/** An event as its message has it. */
export type ArrivedEvent = { text: string; source: string | null; traceparent: string | null };

const SOURCE_HEADER = "Pbo-Source";
const TRACE_HEADER = "traceparent";

export const eventHeaders = (source: string, traceparent: string | null): Record<string, string> => ({
  [SOURCE_HEADER]: source,
  ...(traceparent ? { [TRACE_HEADER]: traceparent } : {}),
});

export const readEvent = (message: {
  text(): string;
  header(name: string): string | null;
}): ArrivedEvent => ({
  text: message.text(),
  source: message.header(SOURCE_HEADER),
  traceparent: message.header(TRACE_HEADER),
});
