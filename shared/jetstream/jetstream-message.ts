/** A message from a stream, settled once by ack, nak or term. */
import type { Msg } from "nats";

export type StreamMessage = ReturnType<typeof streamMessage>;

const MESSAGE_ID_HEADER = "Nats-Msg-Id";
const NANOS_PER_MS = 1_000_000;

export function streamMessage(msg: Msg) {
  const { sequence, deliveryCount } = deliveryInfo(msg.reply ?? "");
  let settled = false;
  const settle = (reply: string) => {
    if (settled) return;
    settled = true;
    msg.respond(reply);
  };
  const header = (name: string): string | null => (msg.headers?.has(name) ? msg.headers.get(name) : null);
  return {
    subject: msg.subject,
    /** Message id set by the publisher; null for publishers that set none, such as an S3 server. */
    id: header(MESSAGE_ID_HEADER),
    sequence,
    /** 1 on the first delivery. */
    deliveryCount,
    header,
    text: (): string => msg.string(),
    ack: (): void => settle("+ACK"),
    /** Redelivered after the delay, to this process or another. */
    nak: (delayMs = 0): void =>
      settle(delayMs > 0 ? `-NAK ${JSON.stringify({ delay: Math.round(delayMs) * NANOS_PER_MS })}` : "-NAK"),
    /** Never redelivered. Without a reason: servers before 2.11 would ignore the whole answer. */
    term: (): void => settle("+TERM"),
    /** Still being handled: restarts the server's ack wait. */
    working: (): void => {
      if (!settled) msg.respond("+WPI");
    },
    settled: (): boolean => settled,
  };
}

/** $JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>[.<random>] */
function deliveryInfo(reply: string): { deliveryCount: number; sequence: number } {
  const tokens = reply.split(".");
  const at = tokens.length === 9 ? 4 : 6;
  return { deliveryCount: Number(tokens[at]), sequence: Number(tokens[at + 1]) };
}
