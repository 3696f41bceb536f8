/** Looks at the stage from outside: the databases past every link, the readiness of every process. */
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { mapBounded } from "../../../services/document/map-bounded.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { stolenMs } from "../../support/running-time.ts";
import type { Snapshot } from "./checker.rules.ts";
import type { Ledger } from "./ledger.rules.ts";
import type { Partners } from "./partners.ts";
import { type Sample, WORK_KINDS, type WorkKind } from "./progress.rules.ts";
import type { LabStage } from "./stage.ts";
import { storedFiles } from "./stored-files.ts";

export type Observer = Awaited<ReturnType<typeof observe>>;

const ANSWER_WITHIN_MS = 2_500;

const FILES_AT_ONCE = 8;
const SAMPLE_MS = 1_000;
const EXHAUSTED_BY_US = /^EndpointDisabled /;

export async function observe(stage: LabStage, ledger: Pick<Ledger, "uploads">) {
  const { MongoClient } = mongoose.mongo;
  const client = new MongoClient(stage.addresses.mongodbUri, {
    serverSelectionTimeoutMS: ANSWER_WITHIN_MS,
    socketTimeoutMS: ANSWER_WITHIN_MS * 4,
  });
  await client.connect();
  const collection = (service: string, name: string) => client.db(databaseName("", service)).collection(name);
  const profiles = collection("profile", "business_profiles");
  const letters = collection("profile", "dead_letters");
  const events = collection("delivery", "events");
  const deliveries = collection("delivery", "deliveries");
  const jobs = collection("delivery", "replay_jobs");
  const documents = collection("document", "documents");
  const files = storedFiles(stage.addresses);
  const limits = { maxTimeMS: ANSWER_WITHIN_MS };

  /** Counts of each kind, in the order of WORK_KINDS. */
  const open = (ofDeliveries: object, ofJobs: object) => [
    profiles.countDocuments({ "outbox.eventId": { $exists: true } }, limits),
    deliveries.countDocuments({ status: "Pending", ...ofDeliveries }, limits),
    jobs.countDocuments({ finishedAt: null, ...ofJobs }, limits),
  ];
  const sumOf = async (of: typeof deliveries, field: string) => {
    const [found] = await of.aggregate([{ $group: { _id: null, sum: { $sum: field } } }], limits).toArray();
    return Number(found?.sum ?? 0);
  };
  const done = () => [
    events.countDocuments({}, limits),
    sumOf(deliveries, "$attemptCount"),
    sumOf(jobs, "$created"),
  ];
  /** Null when the database does not answer. */
  const byKind = (counts: Promise<number>[]): Promise<Sample["backlog"]> =>
    Promise.all(counts).then(
      (all) =>
        Object.fromEntries(WORK_KINDS.map((kind, index) => [kind, all[index]])) as Record<WorkKind, number>,
      () => null,
    );
  /** Files that storage took. */
  const unconfirmed = () => {
    const ids = ledger.uploads
      .filter(({ verdict }) => verdict === "acknowledged")
      .map(({ documentId }) => documentId);
    const isOpen = { $or: [{ status: "AwaitingUpload" }, { announcePending: true }] };
    return documents.countDocuments({ _id: { $in: ids as never[] }, ...isOpen }, limits);
  };

  async function notReady(): Promise<{ name: string; why: string; isAnswer: boolean }[]> {
    const asked = [
      ...stage.opsUrls,
      ...stage.gateways.map((url, index) => [`system-${index + 1}`, url] as const),
    ];
    const answers = await Promise.all(
      asked.map(async ([name, url]) => {
        const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
        const answer = await fetch(`${url}/readyz`, { signal }).then(
          async (response) => (await response.json()) as { checks?: Record<string, string> },
          () => null,
        );
        const missing = Object.entries(answer?.checks ?? { answer: "none" })
          .filter(([, state]) => state !== "ok")
          .map(([check, state]) => `${check} ${state}`);
        return missing.length === 0 ? null : { name, why: missing.join(", "), isAnswer: answer !== null };
      }),
    );
    return answers.filter((one) => one !== null);
  }

  return {
    async sample(): Promise<Sample> {
      const now = new Date();
      // The replay of a killed process waits for the end of its lease.
      const due = open({ nextAttemptAt: { $lte: now } }, { claimableAt: { $lte: now } });
      const [unready, backlog, finished] = await Promise.all([notReady(), byKind(due), byKind(done())]);
      const refusing = unready.filter(({ isAnswer }) => isAnswer).map(({ name }) => name);
      const names = unready.map(({ name }) => name);
      return { atMs: Date.now(), stolenMs: stolenMs(), notReady: names, refusing, backlog, done: finished };
    },
    /** Everything that is not done, due or not, and every process that is not ready, in words. */
    async unfinished(): Promise<string[]> {
      const uploads = unconfirmed().catch(() => null);
      const [work, files, unready] = await Promise.all([byKind(open({}, {})), uploads, notReady()]);
      if (work === null || files === null) return ["the database does not answer"];
      const counts = { ...work, "uploads are not confirmed": files };
      const told = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
      return [...told, ...unready.map(({ name, why }) => `${name} is not ready (${why})`)];
    },
    countDeliveries: (partnerId: string, level: "majority" | "local") =>
      deliveries.countDocuments({ partnerId }, { ...limits, readConcern: { level } }),
    recorded: () => events.countDocuments({}, limits),
    async snapshot(
      partners: Partners,
    ): Promise<Omit<Snapshot, "disabled" | "damaged" | "faultsAtOnce" | "feeds" | "feedUntilMs">> {
      const fields = ["partnerId", "partnerCustomerId", "tradingName", "people", "sequence", "documents"];
      const projection = Object.fromEntries([...fields, "verificationStatus"].map((name) => [name, 1]));
      const [customers, recorded, planned, setAside, started, uploaded] = await Promise.all([
        profiles.find({}, { projection }).toArray(),
        events.find({}).toArray(),
        deliveries.find({}, { projection: { attempts: 0 } }).toArray(),
        letters.find({ consumer: "profile-outbox" }, { projection: { subject: 1 } }).toArray(),
        jobs.find({}).toArray(),
        documents.find({}).toArray(),
      ]);
      const shown = new Map<string, string>(
        customers.flatMap((one) =>
          one.documents.map((document: { documentId: string; status: string }) => [
            document.documentId,
            document.status,
          ]),
        ),
      );
      const bytes = new Map<string, string | null>();
      const confirmed = uploaded.flatMap(({ confirmedKey }) => confirmedKey ?? []);
      await mapBounded(confirmed, FILES_AT_ONCE, async (key: string) => {
        bytes.set(key, await files.sha256Of(key));
      });
      return {
        customers: customers.map((one) => ({
          customerId: String(one._id),
          partnerId: one.partnerId,
          reference: one.partnerCustomerId,
          people: one.people.length,
          sequence: one.sequence,
          values: valuesOf(one),
        })),
        events: recorded.map((one) => ({
          eventId: String(one._id),
          partnerId: one.partnerId,
          customerId: one.customerId,
          requestId: JSON.parse(one.envelopeJson).correlation?.requestId ?? null,
          sequence: one.sequence,
          eventType: one.eventType,
          body: one.envelopeJson,
          occurredAtMs: one.occurredAt.getTime(),
          recordedAtMs: one.recordedAt.getTime(),
          feedAtMs: one.feedAt ? (one.feedAt.high >>> 0) * 1_000 : null,
          isRouted: one.endpointId !== null,
        })),
        deliveries: planned.map((one) => ({
          deliveryId: String(one._id),
          eventId: one.eventId,
          partnerId: one.partnerId,
          status: one.status,
          series: one.replaySeries,
          createdAtMs: one.createdAt.getTime(),
          isDisabled: EXHAUSTED_BY_US.test(one.lastFailure ?? ""),
        })),
        jobs: started.map((one) => ({
          series: String(one._id),
          partnerId: one.partnerId,
          fromMs: one.from.getTime(),
          toMs: one.to.getTime(),
          askedAtMs: one.askedAt.getTime(),
          isFinished: one.finishedAt !== null,
          created: one.created,
        })),
        documents: uploaded.map((one) => ({
          documentId: String(one._id),
          slot: `${one.customerId} ${one.uboId} ${one.documentCategory}`,
          createdAtMs: one.createdAt.getTime(),
          status: one.status,
          sha256: one.sha256,
          shownAs: shown.get(String(one._id)) ?? null,
          bytesSha256: bytes.get(one.confirmedKey) ?? null,
        })),
        received: partners.received(),
        setAside: setAside.map(({ subject }) => String(subject)),
      };
    },
    async close(): Promise<void> {
      files.close();
      await client.close();
    },
  };
}

type StoredCustomer = {
  [field: string]: unknown;
  tradingName?: string | null;
  people?: { uboId: string; jobTitle?: string | null }[];
  verificationStatus?: string;
};

/** By the subjects of changes (ledger.rules.ts). */
function valuesOf({ _id, tradingName, people = [], verificationStatus }: StoredCustomer) {
  const review = verificationStatus === "PendingVerification" ? null : (verificationStatus ?? null);
  return new Map<string, string | null>([
    [`profile ${_id}`, tradingName ?? null],
    [`review ${_id}`, review],
    ...people.map(({ uboId, jobTitle }) => [`person ${uboId}`, jobTitle ?? null] as const),
  ]);
}

export function startSampling(observer: Observer) {
  const samples: Sample[] = [];
  let stopped = false;
  const sampling = (async () => {
    while (!stopped) {
      samples.push(await observer.sample());
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop(): Promise<Sample[]> {
      stopped = true;
      await sampling;
      return samples;
    },
  };
}
