import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Msg, NatsConnection, SubscriptionOptions } from "nats";
import { createPull } from "../../../shared/jetstream/jetstream-pull.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const LIMIT = 10;

/** A server that says nothing by itself. */
function aPull() {
  const requests: { batch: number }[] = [];
  const lost: string[] = [];
  let inbox = "";
  let callback: NonNullable<SubscriptionOptions["callback"]> = () => undefined;
  let held = 0;
  const pull = createPull({
    connection: {
      subscribe(subject: string, options: SubscriptionOptions) {
        inbox = subject;
        callback = options.callback ?? callback;
        return { unsubscribe: () => undefined };
      },
      publish: (_subject: string, body: string) => void requests.push(JSON.parse(body)),
      isClosed: () => false,
    } as unknown as NatsConnection,
    inboxPrefix: "_INBOX",
    stream: "S",
    consumer: "c",
    limit: LIMIT,
    held: () => held,
    onMessage: () => {
      held += 1;
    },
    onLost: (reason) => void lost.push(reason),
  });
  const status = (code: number) =>
    callback(null, { subject: inbox, headers: { code, get: () => "" } } as unknown as Msg);
  const message = () =>
    callback(null, { subject: "events.p", reply: "$JS.ACK.S.c.1.1.1.1.0" } as unknown as Msg);
  return { pull, requests, lost, heartbeat: () => status(100), expire: () => status(408), status, message };
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
