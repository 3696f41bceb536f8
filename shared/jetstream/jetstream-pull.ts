/**
 * Pulls messages from the server, never more than there is room for, and detects when it stops answering. Not the
 * client library's consume(): it pulls more regardless of work in progress and waits 30 s after a lost consumer.
 */
import { createInbox, type Msg, type NatsConnection, type Subscription } from "nats";
import { type StreamMessage, streamMessage } from "./jetstream-message.ts";

type Deps = {
  connection: NatsConnection;
  inboxPrefix: string;
  stream: string;
  consumer: string;
  limit: number;
  held(): number;
  onMessage(message: StreamMessage): void;
  /** The consumer is gone or silent: make sure it exists, then open again. */
  onLost(reason: string): void;
};

const REQUEST_EXPIRES_MS = 20_000;
const HEARTBEAT_MS = 2_000;
const SILENCE_MS = 3 * HEARTBEAT_MS;
const NANOS_PER_MS = 1_000_000;

const STATUS_HEARTBEAT = 100;
const STATUS_EXPIRED = 408;
const PENDING_HEADER = "Nats-Pending-Messages";

export function createPull(deps: Deps) {
  const { connection, limit } = deps;
  const next = `$JS.API.CONSUMER.MSG.NEXT.${deps.stream}.${deps.consumer}`;
  let subscription: Subscription | null = null;
  let inbox = "";
  let asked = 0;
  let heardAt = 0;
  let watchdog: NodeJS.Timeout | undefined;

  /** Also after a loss: earlier requests are abandoned and the server redelivers their messages. */
  function open() {
    close();
    inbox = createInbox(deps.inboxPrefix);
    subscription = connection.subscribe(inbox, {
      callback: (error, msg) => (error ? lost(error.message) : receive(msg)),
    });
    heardAt = Date.now();
    watchdog = setInterval(watch, HEARTBEAT_MS).unref();
    more();
  }

  function close() {
    clearInterval(watchdog);
    if (subscription && !connection.isClosed()) subscription.unsubscribe();
    subscription = null;
    asked = 0;
  }

  function lost(reason: string) {
    close();
    deps.onLost(reason);
  }

  /** Call when there may be room. In halves, so that one request is open while the messages of the other are handled. */
  function more() {
    const room = limit - deps.held() - asked;
    if (!subscription || room <= 0 || (asked > 0 && room < limit / 2)) return;
    if (asked === 0) heardAt = Date.now();
    asked += room;
    const request = {
      batch: room,
      expires: REQUEST_EXPIRES_MS * NANOS_PER_MS,
      idle_heartbeat: HEARTBEAT_MS * NANOS_PER_MS,
    };
    connection.publish(next, JSON.stringify(request), { reply: inbox });
  }

  function receive(msg: Msg) {
    heardAt = Date.now();
    if (msg.subject === inbox) return receiveStatus(msg);
    asked = Math.max(0, asked - 1);
    deps.onMessage(streamMessage(msg));
    more();
  }

  function receiveStatus(msg: Msg) {
    const code = msg.headers?.code ?? 0;
    if (code === STATUS_HEARTBEAT) return;
    if (code !== STATUS_EXPIRED) return lost(`${code} ${msg.headers?.description}`);
    // Ask again for what the expired request did not deliver.
    const left = Number(msg.headers?.get(PENDING_HEADER) || asked);
    asked = Math.max(0, asked - left);
    more();
  }

  function watch() {
    if (asked > 0 && Date.now() - heardAt > SILENCE_MS) lost("silent");
  }

  return { open, more, close };
}
