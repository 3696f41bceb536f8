import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { consumeArrivals } from "../../../services/document/arrival.consumer.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { NO_SCANNER } from "../../../services/document/file/scanner.ts";
import type { BatchHandler, JetStream, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS } from "../../../shared/jetstream/streams.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const away = new Error("storage is away");
const NOW = new Date("2026-01-02T12:10:00.000Z");

/** Storage holds a file for every key, but cannot be asked for those of the broken documents. */
function aStage(records: readonly DocumentRecord[], broken: readonly DocumentRecord[] = []) {
  const changed: string[] = [];
  let handler: BatchHandler = async () => undefined;
  let onPoison: Parameters<JetStream["consume"]>[1]["onPoison"] | undefined;
  const kept: unknown[][] = [];
  let [underWay, most] = [0, 0];
  const info = jest.fn();
  consumeArrivals({
    bucket: "b",
    jetstream: {
      consume(...[, options, given]: Parameters<JetStream["consume"]>) {
        onPoison = options.onPoison;
        handler = given;
      },
    },
    deadLetters: { keep: async (...args: unknown[]) => void kept.push(args) },
    repository: {
      find: async (documentId: string, partnerId: string) =>
        records.find((record) => record._id === documentId && record.partnerId === partnerId) ?? null,
      nextLinkAt: async () => new Date(0),
      change: async (record: DocumentRecord) => {
        changed.push(record._id);
        return { ...record, announcePending: false };
      },
    },
    standings: { inactiveSince: async () => null },
    storage: {
      describe: async (key: string) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        if (broken.some(({ objectKey }) => objectKey === key)) throw away;
        const facts = { sizeBytes: 1, contentType: "application/pdf", etag: "e", versionId: null };
        return { ...facts, uploadedAt: NOW };
      },
    },
    scanner: NO_SCANNER,
    clock: { now: () => NOW.getTime() },
    logger: Object.assign(pino({ level: "silent" }), { info }),
    metrics: createMetrics("document"),
  } as unknown as Parameters<typeof consumeArrivals>[0]);
  const acked: string[] = [];
  const message = (name: string, ...keys: string[]) =>
    ({
      subject: "s",
      sequence: 1,
      text: () => JSON.stringify({ Records: keys.map(aRecord) }),
      ack: () => void acked.push(name),
    }) as unknown as StreamMessage;
  const handle = (...batch: StreamMessage[]) => handler(batch);
  return { acked, changed, message, handle, onPoison, kept, info, most: () => most };
}

const aRecord = (key: string) => ({
  eventName: "s3:ObjectCreated:Put",
  s3: { bucket: { name: "b" }, object: { key } },
});

test("a notification is acked only when every document it names is settled; the others of its batch are", async () => {
  const [good, bad] = [aDocument(), aDocument()];
  const { acked, changed, message, handle } = aStage([good, bad], [bad]);
  await expect(
    handle(
      message("of the bad one", bad.objectKey),
      message("of the good one", good.objectKey),
      message("of both", good.objectKey, bad.objectKey),
      message("of the bad one again", bad.objectKey),
      message("of none"),
    ),
  ).rejects.toBe(away);
  expect(acked).toEqual(["of the good one", "of none"]);
  expect(changed).toEqual([good._id]);
});

test("a notification of another key never settles the document whose id is in that key", async () => {
  const document = aDocument();
  const { acked, changed, message, handle } = aStage([document]);
  for (const part of ["partnerId", "customerId"] as const)
    await handle(message(part, document.objectKey.replace(document[part], aDocument()[part])));
  expect([acked, changed]).toEqual([["partnerId", "customerId"], []]);
  await handle(message("own", document.objectKey));
  expect([acked, changed]).toEqual([["partnerId", "customerId", "own"], [document._id]]);
});

test("a message that poisons is kept", async () => {
  const { onPoison, kept, message } = aStage([]);
  const poison = message("poison");
  await onPoison?.(poison, new Error("broken"));
  expect(kept).toEqual([[CONSUMERS.documentArrival.name, poison, "Error: broken"]]);
});

test("eight files of a batch are checked concurrently; a notification that names none is logged", async () => {
  const documents = Array.from({ length: 10 }, () => aDocument());
  const { handle, message, info, most } = aStage(documents);
  await handle(message("all", ...documents.map(({ objectKey }) => objectKey)));
  expect(most()).toBe(8);
  const ignored = () => info.mock.calls.filter(([, what]) => what === "notice.ignored").length;
  expect(ignored()).toBe(0);
  await handle(message("of none"));
  expect(ignored()).toBe(1);
});
