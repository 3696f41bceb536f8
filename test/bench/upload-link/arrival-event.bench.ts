/** From the end of an upload to its event: notice, check, confirmation, the profile's write, the outbox. */
import { connect } from "nats";
import { withDeadline } from "../../../shared/deadline.ts";
import type { EventEnvelope } from "../../../shared/events/events.ts";
import { subjectName } from "../../../shared/jetstream/streams.ts";
import type { BenchEnv } from "../frame/env.ts";
import { arrivals } from "../frame/in-flight.ts";
import type { BenchSpec, Sample, Window } from "../frame/spec.ts";
import { A_LINK, type DocumentPath, linkPath, openDocumentPath } from "./document-path.ts";

const FILES_PER_ROUND = 100;
const EVENT_WITHIN_MS = 30_000;
const FILE = new Uint8Array(Buffer.concat([Buffer.from("%PDF-1.7\n")], 100_000));

type Link = { documentId: string; uploadUrl: string; headers: Record<string, string> };

export const bench: BenchSpec = {
  name: "arrival to event, files of 100 kB",
  issue: 5,
  concurrency: 4,
  async setup(env) {
    const path = await openDocumentPath(env);
    const events = await listen(env);
    return {
      workload: {
        name: "upload ended to event published",
        run: (window) => uploadAll(path, events.wait, window),
      },
      floors: [],
      teardown: events.close,
    };
  },
};

/** Hears of an event when JetStream does. */
async function listen({ servers, namespace }: BenchEnv) {
  const nats = await connect({ servers: servers.natsUrl });
  const events = arrivals();
  nats.subscribe(subjectName(namespace, "events.*.business.document.confirmed"), {
    callback: (error, message) => {
      if (!error) events.arrived(message.json<EventEnvelope>().data.documentId as string);
    },
  });
  await nats.flush();
  return { wait: events.wait, close: () => nats.close() };
}

/** So many at a time, each waiting for its event before the next is uploaded. */
async function uploadAll(
  path: DocumentPath,
  wait: (documentId: string) => Promise<void>,
  { concurrency }: Window,
): Promise<Sample> {
  const links = await Promise.all(path.customerIds.slice(0, FILES_PER_ROUND).map((id) => aLink(path, id)));
  const latenciesMs: number[] = [];
  const queue = links.values();
  const startedAt = performance.now();
  const worker = async () => {
    for (const { documentId, uploadUrl, headers } of queue) {
      const event = wait(documentId);
      const { status } = await fetch(uploadUrl, { method: "PUT", headers, body: FILE });
      const endedAt = performance.now();
      if (status !== 200) throw new Error(`storage answered ${status}`);
      await withDeadline(event, EVENT_WITHIN_MS);
      latenciesMs.push(performance.now() - endedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { count: links.length, elapsedMs: performance.now() - startedAt, latenciesMs };
}

async function aLink({ url, headers }: DocumentPath, customerId: string): Promise<Link> {
  const init = { method: "POST", headers: await headers(), body: JSON.stringify(A_LINK) };
  const response = await fetch(url + linkPath(customerId), init);
  if (response.status !== 200) throw new Error(`upload-link: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { value: Link }).value;
}
