/** From the end of an upload to its event: notice, check, confirmation, the profile's write, the outbox. */
import { connect } from "nats";
import { Agent, request } from "undici";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { readMessage } from "../../../shared/events/event-message.rules.ts";
import type { EventEnvelope } from "../../../shared/events/events.ts";
import { subjectName } from "../../../shared/jetstream/streams.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import type { BenchEnv } from "../frame/env.ts";
import { arrivals } from "../frame/in-flight.ts";
import { postJson } from "../frame/post-json.ts";
import type { BenchSpec, FloorFacts, Sample, Window } from "../frame/spec.ts";
import { openNotices, openSigner } from "./bare-storage.ts";
import { A_LINK, type DocumentPath, linkPath, openDocumentPath } from "./document-path.ts";

const NOTICE: FloorFacts = {
  name: "upload ended to the storage's notice",
  fairBecause:
    "the same uploads to the same storage, and no event can come before the notice; nothing is checked or written",
  measure: "rate",
};
const FILES_PER_ROUND = 100;
const HEARD_WITHIN_MS = 30_000;
const FILE = new Uint8Array(samplePdf("A statement.", 100_000));

/** A connection for each upload: one kept from the round before may be closed by the storage just when it is used. */
const dispatcher = new Agent({ pipelining: 0 });

type Upload = { id: string; uploadUrl: string; headers: Record<string, string> };
type Wait = (id: string) => Promise<void>;

export const bench: BenchSpec = {
  name: "arrival to event, files of 100 kB",
  issue: 5,
  concurrency: 4,
  async setup(env) {
    const path = await openDocumentPath(env);
    const heardOf = await listen(env);
    const notices = await openNotices(env);
    const signer = openSigner(env, notices.bucket);
    return {
      workload: {
        name: "upload ended to event published",
        run: async (window) => uploadAll(await linksOf(path), heardOf, window),
      },
      floors: [
        {
          ...NOTICE,
          run: async (window) => uploadAll(await bareLinks(notices.bucket, signer), notices.wait, window),
        },
      ],
    };
  },
};

/** Hears of an event when JetStream does. */
async function listen({ servers, namespace, onClose }: BenchEnv) {
  const nats = await connect({ servers: servers.natsUrl });
  onClose(() => nats.close());
  const events = arrivals();
  nats.subscribe(subjectName(namespace, "events.*.business.document.confirmed"), {
    callback: (error, message) => {
      if (error) return;
      const header = (name: string) => message.headers?.get(name) || null;
      for (const { text } of readMessage({ text: () => message.string(), header }))
        events.arrived((JSON.parse(text) as EventEnvelope).data.documentId as string);
    },
  });
  await nats.flush();
  return events.wait;
}

/** So many at a time, each heard of before the next is uploaded. */
async function uploadAll(uploads: readonly Upload[], wait: Wait, { concurrency }: Window): Promise<Sample> {
  const latenciesMs: number[] = [];
  const queue = uploads.values();
  const startedAt = performance.now();
  const worker = async () => {
    for (const { id, uploadUrl, headers } of queue) {
      const heard = wait(id);
      const { statusCode, body } = await request(uploadUrl, {
        method: "PUT",
        headers,
        body: FILE,
        dispatcher,
      });
      const endedAt = performance.now();
      await body.dump();
      if (statusCode !== 200) throw new Error(`storage answered ${statusCode}`);
      await withDeadline(heard, HEARD_WITHIN_MS);
      latenciesMs.push(performance.now() - endedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { count: uploads.length, elapsedMs: performance.now() - startedAt, latenciesMs };
}

async function linksOf({ url, headers, customerIds }: DocumentPath): Promise<Upload[]> {
  const sent = await headers();
  return Promise.all(
    customerIds.slice(0, FILES_PER_ROUND).map(async (customerId) => {
      const link = await postJson<Upload & { documentId: string }>(url + linkPath(customerId), sent, A_LINK);
      return { ...link, id: link.documentId };
    }),
  );
}

const bareLinks = (bucket: string, { sign }: ReturnType<typeof openSigner>): Promise<Upload[]> =>
  Promise.all(
    Array.from({ length: FILES_PER_ROUND }, async () => {
      const record = aDocument();
      const headers = { "Content-Type": record.contentType };
      return { id: `${bucket}/${record.objectKey}`, uploadUrl: await sign(record), headers };
    }),
  );
