/** From the end of an upload to its event: notice, check, confirmation, the profile's write, the outbox. */
import { connect } from "nats";
import type { EventEnvelope } from "../../../shared/events.ts";
import { subjectName } from "../../../shared/streams.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { BenchEnv } from "../frame/env.ts";
import type { BenchSpec, Sample, Window } from "../frame/spec.ts";
import { A_LINK, type DocumentPath, linkPath, openDocumentPath } from "./document-path.ts";

const FILES_PER_ROUND = 100;
const EVENTS_WITHIN_MS = 30_000;
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
        run: (window) => uploadAll(path, events.seen, window),
      },
      floors: [],
      teardown: events.close,
    };
  },
};

/** Hears of an event when JetStream does. */
async function listen({ servers, namespace }: BenchEnv) {
  const nats = await connect({ servers: servers.natsUrl });
  const seen = new Map<string, number>();
  nats.subscribe(subjectName(namespace, "events.*.business.document.confirmed"), {
    callback: (error, message) => {
      if (!error) seen.set(message.json<EventEnvelope>().data.documentId as string, performance.now());
    },
  });
  return { seen, close: () => nats.close() };
}

async function uploadAll(path: DocumentPath, seen: Map<string, number>, window: Window): Promise<Sample> {
  const links = await Promise.all(path.customerIds.slice(0, FILES_PER_ROUND).map((id) => aLink(path, id)));
  const endedAt = new Map<string, number>();
  const queue = links.values();
  const startedAt = performance.now();
  const worker = async () => {
    for (const { documentId, uploadUrl, headers } of queue) {
      const { status } = await fetch(uploadUrl, { method: "PUT", headers, body: FILE });
      if (status !== 200) throw new Error(`storage answered ${status}`);
      endedAt.set(documentId, performance.now());
    }
  };
  await Promise.all(Array.from({ length: window.concurrency }, worker));
  await waitFor(() => links.every(({ documentId }) => seen.has(documentId)), {
    what: "every event",
    timeoutMs: EVENTS_WITHIN_MS,
  });
  const latenciesMs = links.map(({ documentId: id }) =>
    Math.max(0, (seen.get(id) ?? 0) - (endedAt.get(id) ?? 0)),
  );
  return { count: links.length, elapsedMs: performance.now() - startedAt, latenciesMs };
}

async function aLink({ url, headers }: DocumentPath, customerId: string): Promise<Link> {
  const init = { method: "POST", headers: await headers(), body: JSON.stringify(A_LINK) };
  const response = await fetch(url + linkPath(customerId), init);
  if (response.status !== 200) throw new Error(`upload-link: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { value: Link }).value;
}
