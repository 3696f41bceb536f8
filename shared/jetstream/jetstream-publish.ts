/**
 * Publishes many messages over one subscription. The client library's request() creates an error, a timer and a
 * subscription entry per message, a third of the cost of sending it.
 */
import { createInbox, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from "nats";
import { sendPerTurn } from "../send-per-turn.ts";

type PubAck = { seq: number };

export class NoStream extends Error {
  override readonly name = "NoStream";
}
class PublishTimeout extends Error {
  override readonly name = "PublishTimeout";
}

type Deps = { connection(): NatsConnection; inboxPrefix: string; timeoutMs: number };

type Waiting = { resolve(ack: PubAck): void; reject(error: Error): void; until: number };

const NO_RESPONDERS = 503;
const SWEEPS_PER_TIMEOUT = 6;

export function createPublisher({ connection, inboxPrefix, timeoutMs }: Deps) {
  const waiting = new Map<string, Waiting>();
  let subscription: { of: NatsConnection; on: Subscription; inbox: string } | null = null;
  let sweep: NodeJS.Timeout | undefined;
  let last = 0;
  const sendSoon = sendPerTurn();

  function inboxOf(link: NatsConnection): string {
    if (subscription?.of === link && !subscription.on.isClosed()) return subscription.inbox;
    const inbox = createInbox(inboxPrefix);
    const on = link.subscribe(`${inbox}.*`, {
      callback: (error, msg) => {
        if (!error) receive(msg, inbox.length + 1);
      },
    });
    subscription = { of: link, on, inbox };
    return inbox;
  }

  function receive(msg: Msg, prefixLength: number): void {
    const token = msg.subject.slice(prefixLength);
    const request = waiting.get(token);
    if (!request) return;
    waiting.delete(token);
    const answer = answerOf(msg);
    if (answer instanceof Error) request.reject(answer);
    else request.resolve(answer);
  }

  function giveUpLate(): void {
    const now = performance.now();
    for (const [token, { until, reject }] of waiting) {
      // In the order they were sent: the first that still has time ends the search.
      if (until > now) return;
      waiting.delete(token);
      reject(new PublishTimeout("no answer from the stream"));
    }
    clearInterval(sweep);
    sweep = undefined;
  }

  return {
    /** Rejects with NoStream when no stream takes the subject, and with PublishTimeout when no answer comes. */
    publish(subject: string, body: string, headers: MsgHdrs): Promise<PubAck> {
      return new Promise((resolve, reject) => {
        const link = connection();
        last += 1;
        const token = last.toString(36);
        const reply = `${inboxOf(link)}.${token}`;
        sendSoon(() => {
          try {
            link.publish(subject, body, { reply, headers });
          } catch (error) {
            waiting.delete(token);
            reject(error as Error);
          }
        });
        waiting.set(token, { resolve, reject, until: performance.now() + timeoutMs });
        sweep ??= setInterval(giveUpLate, timeoutMs / SWEEPS_PER_TIMEOUT);
      });
    },
  };
}

function answerOf(msg: Msg): PubAck | Error {
  if (msg.headers?.code === NO_RESPONDERS) return new NoStream("no stream takes this subject");
  const { error, ...ack } = msg.json<PubAck & { error?: { description?: string } }>();
  return error ? new Error(error.description ?? "refused by the stream") : ack;
}
