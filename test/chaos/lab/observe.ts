/** Looks at the stage from outside: the databases past every link, the readiness of every process. */
import mongoose from "mongoose";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { stolenMs } from "../../support/running-time.ts";
import type { Snapshot } from "./checker.rules.ts";
import { type Partners, WEBHOOKS } from "./partners.ts";
import type { Sample } from "./progress.rules.ts";
import type { LabStage } from "./stage.ts";

export type Observer = Awaited<ReturnType<typeof observe>>;

const ANSWER_WITHIN_MS = 2_500;

export async function observe(stage: LabStage) {
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
  const withOutbox = { "outbox.eventId": { $exists: true } };
  const limits = { maxTimeMS: ANSWER_WITHIN_MS };
  const sum = async (counts: Promise<number>[]) => (await Promise.all(counts)).reduce((a, b) => a + b, 0);

  const dueWork = () =>
    sum([
      profiles.countDocuments(withOutbox, limits),
      deliveries.countDocuments({ status: "Pending", nextAttemptAt: { $lte: new Date() } }, limits),
      jobs.countDocuments({ finishedAt: null }, limits),
    ]);
  const done = async () => {
    const attempts = [{ $group: { _id: null, sum: { $sum: "$attemptCount" } } }];
    const [made] = await deliveries.aggregate(attempts, limits).toArray();
    return (await events.countDocuments({}, limits)) + Number(made?.sum ?? 0);
  };

  async function notReady(): Promise<{ name: string; why: string }[]> {
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
        return missing.length === 0 ? null : { name, why: missing.join(", ") };
      }),
    );
    return answers.filter((one) => one !== null);
  }

  return {
    async sample(): Promise<Sample> {
      const orNull = (counted: Promise<number>) => counted.catch(() => null);
      const [unready, backlog, finished] = await Promise.all([notReady(), orNull(dueWork()), orNull(done())]);
      const names = unready.map(({ name }) => name);
      return { atMs: Date.now(), stolenMs: stolenMs(), notReady: names, backlog, done: finished };
    },
    /** Everything that is not done, due or not, and every process that is not ready, in words. */
    async unfinished(): Promise<string[]> {
      const counts = Promise.all([
        profiles.countDocuments(withOutbox, limits),
        deliveries.countDocuments({ status: "Pending" }, limits),
        jobs.countDocuments({ finishedAt: null }, limits),
      ]);
      const [open, unready] = await Promise.all([counts.catch(() => null), notReady()]);
      if (open === null) return ["the database does not answer"];
      const names = ["outboxes hold events", "deliveries pend", "replays are not done"];
      const work = open.flatMap((count, index) => (count > 0 ? [`${count} ${names[index]}`] : []));
      return [...work, ...unready.map(({ name, why }) => `${name} is not ready (${why})`)];
    },
    recorded: () => events.countDocuments({}, limits),
    async snapshot(
      partners: Partners,
    ): Promise<Omit<Snapshot, "disabled" | "damaged" | "feeds" | "feedUntilMs">> {
      const [customers, recorded, planned, setAside] = await Promise.all([
        profiles
          .find(
            {},
            { projection: { partnerId: 1, partnerCustomerId: 1, tradingName: 1, people: 1, sequence: 1 } },
          )
          .toArray(),
        events.find({}).toArray(),
        deliveries.find({}, { projection: { attempts: 0 } }).toArray(),
        letters.find({ consumer: "profile-outbox" }, { projection: { subject: 1 } }).toArray(),
      ]);
      return {
        customers: customers.map((one) => ({
          customerId: String(one._id),
          partnerId: one.partnerId,
          reference: one.partnerCustomerId,
          tradingName: one.tradingName ?? null,
          people: one.people.length,
          sequence: one.sequence,
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
          feedAtMs: one.feedAt ? (one.feedAt.high >>> 0) * 1_000 : null,
        })),
        deliveries: planned.map((one) => ({
          deliveryId: String(one._id),
          eventId: one.eventId,
          partnerId: one.partnerId,
          status: one.status,
          isReplay: one.replaySeries !== null,
          createdAtMs: one.createdAt.getTime(),
        })),
        received: partners.received(),
        setAside: setAside.map(({ subject }) => String(subject)),
        totals: await totals(stage, partners, (partnerId) => deliveries.countDocuments({ partnerId })),
      };
    },
    close: () => client.close(),
  };
}

/** Read several times: a total must be right while deliveries are being tallied, too. */
const TOTAL_READS = 5;

async function totals(stage: LabStage, { all }: Partners, count: (partnerId: string) => Promise<number>) {
  const found: Snapshot["totals"] = [];
  for (const { partnerId, click } of all)
    for (let i = 0; i < TOTAL_READS; i += 1) {
      const gateway = stage.gateways[i % stage.gateways.length] ?? "";
      const { status, value } = await click(gateway, "GET", `${WEBHOOKS}/deliveries?pageSize=1`);
      if (status === 200) found.push({ partnerId, told: value.total, counted: await count(partnerId) });
    }
  return found;
}
