/** A message from a stream, settled once by ack, nak or term. */
import type { Msg } from "nats";

export type StreamMessage = {
  subject: string;
  /** Message id set by the publisher; null for publishers that set none, such as an S3 server. */
  id: string | null;
  sequence: number;
  /** 1 on the first delivery. */
  deliveryCount: number;
  header(name: string): string | null;
  text(): string;
  ack(): void;
  /** Redelivered after the delay, to this process or another. */
  nak(delayMs?: number): void;
  /** Never redelivered. */
  term(): void;
  /** Still being handled: restarts the server's ack wait. */
  working(): void;
  settled(): boolean;
};

const MESSAGE_ID_HEADER = "Nats-Msg-Id";
const NANOS_PER_MS = 1_000_000;

export function streamMessage(msg: Msg): StreamMessage {
  const { sequence, deliveryCount } = deliveryInfo(msg.reply ?? "");
  let settled = false;
  const settle = (reply: string) => {
    if (settled) return;
    settled = true;
    msg.respond(reply);
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
    // Without a reason: servers before 2.11 would ignore the whole answer.
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
