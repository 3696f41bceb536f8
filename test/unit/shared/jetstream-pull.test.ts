import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Msg, NatsConnection, SubscriptionOptions } from "nats";
import { createPull } from "../../../shared/jetstream/jetstream-pull.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const LIMIT = 10;

/** A server that says nothing by itself. */
function aPull({ isHandledAtOnce = false } = {}) {
  const requests: { batch: number }[] = [];
  const asked: unknown[][] = [];
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
      publish(subject: string, body: string, options: unknown) {
        requests.push(JSON.parse(body));
        asked.push([subject, JSON.parse(body), options]);
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
    ...{ pull, requests, asked, lost, status, message, messages, release, connected, inbox: () => inbox },
    ...{ heartbeat: () => status(100), expire: (pending?: string) => status(408, pending) },
    batches: () => requests.map(({ batch }) => batch),
  };
}

describe("a consumer", () => {
  test("that falls silent although it was asked: is lost, once", () => {
    const { pull, lost, heartbeat } = aPull();
    pull.open();
    jest.advanceTimersByTime(2_000);
    heartbeat();
    jest.advanceTimersByTime(6_000);
    expect(lost).toEqual([]);
    jest.advanceTimersByTime(60_000);
    expect(lost).toEqual(["silent"]);
  });

  test("that has no message but shows that it lives: is not lost", () => {
    const { pull, lost, heartbeat } = aPull();
    pull.open();
    for (let at = 0; at < 10; at += 1) {
      jest.advanceTimersByTime(2_000);
      heartbeat();
    }
    expect(lost).toEqual([]);
    pull.close();
  });

  test("that was asked for nothing, because as much as allowed is in hand: may be silent", () => {
    const { pull, lost, requests, message } = aPull();
    pull.open();
    for (let at = 0; at < LIMIT; at += 1) message();
    jest.advanceTimersByTime(60_000);
    expect([lost, requests.map(({ batch }) => batch)]).toEqual([[], [LIMIT]]);
    pull.close();
  });

  test("is asked for all there is room for, for twenty seconds, with a sign of life every two", () => {
    const { pull, asked, inbox } = aPull();
    pull.open();
    expect(inbox()).toMatch(/^_INBOX\./);
    expect(asked).toEqual([
      [
        "$JS.API.CONSUMER.MSG.NEXT.S.c",
        { batch: LIMIT, expires: 20_000_000_000, idle_heartbeat: 2_000_000_000 },
        { reply: inbox() },
      ],
    ]);
    pull.close();
  });

  test("is asked for more when half of the room is free, for anything when nothing is under way", () => {
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

  test("whose messages are handled at once: is asked for more while they come", () => {
    const { pull, batches, messages } = aPull({ isHandledAtOnce: true });
    pull.open();
    messages(5);
    expect(batches()).toEqual([10, 5]);
    pull.close();
  });

  test("that is silent: is lost after six seconds, also for a single message, counted from when it was asked", () => {
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

  test("whose request expired in part: is asked again for that part, once it is half of the room", () => {
    const { pull, batches, expire } = aPull();
    pull.open();
    expire("3");
    expect(batches()).toEqual([10]);
    expire("2");
    expect(batches()).toEqual([10, 5]);
    pull.close();
  });

  test("that is opened again, and closed: nothing of the earlier one is left", () => {
    const { pull, connected } = aPull();
    pull.open();
    pull.open();
    expect([connected.unsubscribed, jest.getTimerCount()]).toEqual([1, 1]);
    connected.isClosed = true;
    pull.close();
    expect([connected.unsubscribed, jest.getTimerCount()]).toEqual([1, 0]);
  });

  test("whose request expired: is asked again for all that did not come", () => {
    const { pull, requests, lost, message, expire } = aPull();
    pull.open();
    message();
    expire();
    expect([lost, requests.map(({ batch }) => batch)]).toEqual([[], [LIMIT, LIMIT - 1]]);
    pull.close();
  });

  test("that the server says is gone: is lost at once, and asked anew when it is opened again", () => {
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
