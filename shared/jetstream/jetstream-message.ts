/** A message taken from a stream; settled once by ack, nak or term. */
import type { Msg } from "nats";

export type StreamMessage = {
  subject: string;
  /** What the publisher gave as id; null for a foreign publisher such as an S3 server. */
  id: string | null;
  sequence: number;
  /** 1 the first time. */
  deliveryCount: number;
  header(name: string): string | null;
  text(): string;
  ack(): void;
  /** Not now: comes again after the delay, here or elsewhere. */
  nak(delayMs?: number): void;
  /** Never again. */
  term(): void;
  /** Still at work: restarts the server's ack wait. */
  working(): void;
  settled(): boolean;
};

const MESSAGE_ID_HEADER = "Nats-Msg-Id";
const NANOS_PER_MS = 1_000_000;

export function streamMessage(msg: Msg): StreamMessage {
  const { sequence, deliveryCount } = deliveryInfo(msg.reply ?? "");
  let settled = false;
  const settle = (verdict: string) => {
    if (settled) return;
    settled = true;
    msg.respond(verdict);
  };
  const header = (name: string) => (msg.headers?.has(name) ? msg.headers.get(name) : null);
  return {
    subject: msg.subject,
    id: header(MESSAGE_ID_HEADER),
    sequence,
    deliveryCount,
    header,
    text: () => msg.string(),
    ack: () => settle("+ACK"),
    nak: (delayMs = 0) =>
      settle(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: Math.round(delayMs) * NANOS_PER_MS })}` : "-NAK"),
    // A reason behind it is understood from server 2.11 on; older ones would ignore the whole verdict.
    term: () => settle("+TERM"),
    working: () => {
      if (!settled) msg.respond("+WPI");
    },
    settled: () => settled,
  };
}

/** $JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>[.<random>] */
function deliveryInfo(reply: string): { deliveryCount: number; sequence: number } {
  const tokens = reply.split(".");
  const at = tokens.length === 9 ? 4 : 6;
  return { deliveryCount: Number(tokens[at]), sequence: Number(tokens[at + 1]) };
}
