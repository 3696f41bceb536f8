/** Uploads to links of ours, or bare ones, and how long after its end each was heard of. */
import { connect } from "nats";
import { Agent, request } from "undici";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import type { EventEnvelope } from "../../../shared/contract/events.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { readMessage } from "../../../shared/events/event-message.rules.ts";
import { subjectName } from "../../../shared/jetstream/streams.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import type { BenchEnv } from "../frame/env.ts";
import { arrivals } from "../frame/in-flight.ts";
import { postJson } from "../frame/post-json.ts";
import type { Floor, Sample, Window } from "../frame/spec.ts";
import { type openNotices, openSigner } from "./bare-storage.ts";
import { A_LINK, type DocumentPath, linkPath } from "./document-path.ts";

const FILES_PER_ROUND = 100;
const HEARD_WITHIN_MS = 30_000;
const FILE = new Uint8Array(samplePdf("A statement.", 100_000));

/** A connection for each upload: one kept from the round before may be closed by the storage just when it is used. */
const dispatcher = new Agent({ pipelining: 0 });

type Upload = { id: string; uploadUrl: string; headers: Record<string, string> };
type Wait = (id: string) => Promise<void>;

/** The same uploads to the same storage; heard of by its own notice. */
export function bareUploads(env: BenchEnv, notices: Awaited<ReturnType<typeof openNotices>>): Floor {
  const signer = openSigner(env, notices.bucket);
  return {
    name: "upload ended to the storage's notice",
    fairBecause:
      "the same uploads to the same storage, and no event can come before the notice; nothing is checked or written",
    measure: "rate",
    run: async (window) => uploadAll(await bareLinks(notices.bucket, signer), notices.wait, window),
  };
}

/** Hears of an event when JetStream does. */
export async function listen({ servers, namespace, onClose }: BenchEnv) {
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
export async function uploadAll(
  uploads: readonly Upload[],
  wait: Wait,
  { concurrency }: Window,
): Promise<Sample> {
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

export async function linksOf({ url, headers, customerIds }: DocumentPath): Promise<Upload[]> {
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
