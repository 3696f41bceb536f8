import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Msg, NatsConnection, SubscriptionOptions } from "nats";
import { createPull } from "../../../shared/jetstream/jetstream-pull.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const LIMIT = 10;

/** A server that says nothing by itself. */
function aPull({ isHandledAtOnce = false } = {}) {
  const requests: { batch: number }[] = [];
  const connected = { isClosed: false, unsubscribed: 0 };
  const lost: string[] = [];
  let inbox = "";
  let callback: NonNullable<SubscriptionOptions["callback"]> = () => undefined;
  let held = 0;
  const pull = createPull({
    connection: {
      subscribe(subject: string, options: SubscriptionOptions) {
        inbox = subject;
        callback = options.callback ?? callback;
        return {
          unsubscribe: () => {
            connected.unsubscribed += 1;
          },
        };
      },
      publish(_subject: string, body: string) {
        requests.push(JSON.parse(body));
      },
      isClosed: () => connected.isClosed,
    } as unknown as NatsConnection,
    inboxPrefix: "_INBOX",
    stream: "S",
    consumer: "c",
    limit: LIMIT,
    held: () => held,
    onMessage: () => {
      if (!isHandledAtOnce) held += 1;
    },
    onLost: (reason) => void lost.push(reason),
  });
  const status = (code: number, pending = "") => {
    const get = (name: string) => (name === "Nats-Pending-Messages" ? pending : "");
    callback(null, { subject: inbox, headers: { code, get } } as unknown as Msg);
  };
  const message = () =>
    callback(null, { subject: "events.p", reply: "$JS.ACK.S.c.1.1.1.1.0" } as unknown as Msg);
  const messages = (count: number) => {
    for (let left = count; left > 0; left -= 1) message();
  };
  const release = (count: number) => {
    held -= count;
    pull.more();
  };
  return {
    ...{ pull, requests, lost, status, message, messages, release, connected },
    ...{ heartbeat: () => status(100), expire: (pending?: string) => status(408, pending) },
    batches: () => requests.map(({ batch }) => batch),
  };
}

describe("a consumer", () => {
  test("a consumer without messages that shows that it lives is not lost", () => {
    const { pull, lost, heartbeat } = aPull();
    pull.open();
    for (let at = 0; at < 10; at += 1) {
      jest.advanceTimersByTime(2_000);
      heartbeat();
    }
    expect(lost).toEqual([]);
    pull.close();
  });

  test("a consumer that was asked for nothing, because the limit is in flight, may be silent", () => {
    const { pull, lost, requests, message } = aPull();
    pull.open();
    for (let at = 0; at < LIMIT; at += 1) message();
    jest.advanceTimersByTime(60_000);
    expect([lost, requests.map(({ batch }) => batch)]).toEqual([[], [LIMIT]]);
    pull.close();
  });

  test("a consumer is asked for more when half of the room is free, for anything when nothing is in flight", () => {
    const { pull, batches, messages, release } = aPull();
    pull.open();
    messages(9);
    release(4);
    expect(batches()).toEqual([10]);
    release(1);
    expect(batches()).toEqual([10, 5]);
    messages(6);
    release(1);
    expect(batches()).toEqual([10, 5, 1]);
    pull.close();
  });

  test("a consumer whose messages are handled immediately is asked for more while they arrive", () => {
    const { pull, batches, messages } = aPull({ isHandledAtOnce: true });
    pull.open();
    messages(5);
    expect(batches()).toEqual([10, 5]);
    pull.close();
  });

  test("a silent consumer is lost after six seconds, also for a single message, counted from when it was asked", () => {
    const { pull, lost, messages, release } = aPull();
    pull.open();
    messages(10);
    jest.advanceTimersByTime(60_000);
    release(1);
    jest.advanceTimersByTime(6_000);
    expect(lost).toEqual([]);
    jest.advanceTimersByTime(2_000);
    expect(lost).toEqual(["silent"]);
  });

  test("a request that expired in part is repeated for that part, once it is half of the room", () => {
    const { pull, batches, expire } = aPull();
    pull.open();
    expire("3");
    expect(batches()).toEqual([10]);
    expire("2");
    expect(batches()).toEqual([10, 5]);
    pull.close();
  });

  test("a pull that is opened again and closed leaves nothing of the earlier one", () => {
    const { pull, connected } = aPull();
    pull.open();
    pull.open();
    expect([connected.unsubscribed, jest.getTimerCount()]).toEqual([1, 1]);
    connected.isClosed = true;
    pull.close();
    expect([connected.unsubscribed, jest.getTimerCount()]).toEqual([1, 0]);
  });

  test("a consumer that the server reports gone is lost immediately, and asked again when it is reopened", () => {
    const { pull, requests, lost, status } = aPull();
    pull.open();
    status(409);
    expect(lost).toHaveLength(1);
    pull.more();
    expect(requests).toHaveLength(1);
    pull.open();
    expect(requests).toHaveLength(2);
    pull.close();
  });
});
