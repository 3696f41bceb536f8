import { describe, expect, test } from "@jest/globals";
import {
  CONSUMERS,
  eventSubject,
  STREAMS,
  storageSubject,
  streamName,
  subjectName,
} from "../../../shared/jetstream/streams.ts";

describe("names", () => {
  test("without a namespace: the plain names of the streams and subjects", () => {
    expect(streamName("", "EVENTS")).toBe("EVENTS");
    expect(eventSubject("", "p-1", "business.profile.created")).toBe("events.p-1.business.profile.created");
    expect(storageSubject("")).toBe("storage.arrivals");
  });

  test("with a namespace: prefixed, in upper case for the stream", () => {
    expect(streamName("t12", "EVENTS")).toBe("T12_EVENTS");
    expect(eventSubject("t12", "p-1", "webhook.test")).toBe("t12.events.p-1.webhook.test");
    expect(storageSubject("t12")).toBe("t12.storage.arrivals");
  });

  test.each(["", "a.b", "*", ">", "a b", "é"])("with the id %j: refused, it would change the route", (id) => {
    expect(() => eventSubject("", id, "webhook.test")).toThrow("subject");
  });
});

/** As the server matches: * is one token, > the rest. */
function matches(pattern: string, subject: string): boolean {
  const wanted = pattern.split(".");
  const tokens = subject.split(".");
  return (
    wanted.every((token, at) =>
      token === ">" ? tokens.length > at : token === "*" || token === tokens[at],
    ) &&
    (wanted.at(-1) === ">" || wanted.length === tokens.length)
  );
}

describe("streams and consumers", () => {
  const published = [
    ["EVENTS", eventSubject("n", "p-1", "business.profile.created")],
    ["STORAGE", storageSubject("n")],
  ] as const;

  test.each(published)("%s takes %s, and no other stream does", (stream, subject) => {
    const takers = Object.values(STREAMS).filter((spec) =>
      spec.subjects.some((pattern) => matches(subjectName("n", pattern), subject)),
    );
    expect(takers.map(({ name }) => name)).toEqual([stream]);
  });

  test.each(Object.values(CONSUMERS))(
    "consumer $name filters within its stream",
    ({ stream, filterSubject }) => {
      const sample = filterSubject.replace(">", "x.y");
      expect(STREAMS[stream].subjects.some((pattern) => matches(pattern, sample))).toBe(true);
    },
  );

  test("an event whose process was killed is delivered again within six seconds", () => {
    expect(CONSUMERS.deliveryRecord.ackWaitMs).toBeLessThanOrEqual(6_000);
  });

  test("EVENTS alone keeps acknowledged messages, for 30 days, safe from deletes", () => {
    const kept = Object.values(STREAMS).filter(({ retention }) => retention === "limits");
    expect(kept).toEqual([STREAMS.EVENTS]);
    expect(STREAMS.EVENTS.maxAgeMs).toBe(30 * 86_400_000);
    expect(STREAMS.EVENTS.protectedFromDeletes).toBe(true);
  });
});
