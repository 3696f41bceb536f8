/** A real document service on real servers; the profile service is scripted here, to see and to fail its calls. */
import { randomUUID } from "node:crypto";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import type { ServiceBroker } from "moleculer";
import mongoose from "mongoose";
import { connect } from "nats";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { type DocumentRecord, fileKey, foldersOf } from "../../../services/document/document.rules.ts";
import documentService from "../../../services/document/document.service.ts";
import { isoOf } from "../../../shared/clock.ts";
import type { UploadQuestion } from "../../../shared/contract/actions/profile.ts";
import type { DocumentSummary, UploadLink, ViewLink } from "../../../shared/contract/answers/document.ts";
import { AppError, errorCode } from "../../../shared/errors.ts";
import { judgeKey } from "../../../shared/idempotency.rules.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { storageSubject, streamName } from "../../../shared/jetstream/streams.ts";
import { type GroupedAnswer, toPlainError } from "../../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { removal } from "../servers/jetstream-store.ts";
import { aTestNamespace, createTestBucket, testServers } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";
import { callAlone } from "./call-alone.ts";
import { openStage, type Settings, type Stage } from "./stage.ts";

export const PDF = samplePdf();

export type DocumentStage = Awaited<ReturnType<typeof startDocumentStage>>;
export type Who = { customerId: string; partnerId: string };

/** deaf: storage's notices go elsewhere, so that only the service itself can find a file. */
export async function startDocumentStage({ deaf = false, mongodbUri = testServers().mongodbUri } = {}) {
  const on = openStage({
    PBO_LOG_LEVEL: "fatal",
    PBO_DOCUMENT_SWEEP_MS: "200",
    PBO_MONGODB_URI: mongodbUri,
  });
  const { namespace, clock } = on;
  const noticesTo = deaf ? aTestNamespace() : namespace;
  const bucket = await createTestBucket(noticesTo);
  const [edge, profile] = await Promise.all([on.start("gateway", []), startScriptedProfile(on)]);
  const mongo = await mongoose.createConnection(mongodbUri).asPromise();
  const documents = mongo
    .useDb(databaseName(namespace, "document"))
    .collection("documents") as unknown as mongoose.mongo.Collection<DocumentRecord>;
  const nats = await connect({ servers: testServers().natsUrl });
  if (deaf) {
    const manager = await nats.jetstreamManager();
    await manager.streams.add({ name: noticesTo, subjects: [storageSubject(noticesTo)] });
  }
  const { endpoint, region, ...credentials } = testServers().s3;
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const brokers: ServiceBroker[] = [];

  const stage = {
    namespace,
    bucket,
    s3Endpoint: testServers().s3.endpoint,
    clock,
    profile,
    documents,
    callAs: on.callAs.bind(on),
    async start(settings?: Settings): Promise<void> {
      brokers.push(await on.start("document", [documentService], { PBO_S3_BUCKET: bucket, ...settings }));
      await on.untilMet();
    },
    async stop(): Promise<void> {
      await Promise.all(brokers.splice(0).map(on.end));
    },
    aCustomer: (): Who => ({ customerId: randomUUID(), partnerId: randomUUID() }),
    link: (
      { customerId, partnerId }: Who,
      body: unknown = A_BODY,
      meta: Record<string, unknown> = {},
      headers: Partial<HttpParams["headers"]> = {},
    ) =>
      asPartner(() =>
        callAlone<UploadLink>(
          edge,
          "document.createUploadLink",
          { params: { customerId }, query: {}, body, headers: { ifMatch: null, ...headers } },
          Object.assign(meta, callMeta(partnerId)),
        ),
      ),
    async linkTogether(customers: readonly Who[]): Promise<number[]> {
      const requests = customers.map(({ customerId, partnerId }) => ({
        params: { params: { customerId }, query: {}, body: A_BODY, headers: { ifMatch: null } },
        meta: callMeta(partnerId),
      }));
      const { answers } = await edge.call<{ answers: GroupedAnswer[] }, object>("document.createUploadLink", {
        requests,
      });
      return answers.map(({ status }) => status);
    },
    confirm: (customer: Who, documentIds: readonly string[], more: object = {}) =>
      profile.broker.call<DocumentSummary[], object>("document.confirmForCustomer", {
        ...customer,
        documentIds,
        ...more,
      }),
    view: ({ customerId }: Pick<Who, "customerId">, documentId: string) =>
      profile.broker.call<ViewLink, object>("document.signViewLink", { customerId, documentId }),
    find: (documentId: string) => documents.findOne({ _id: documentId }),
    settled: (documentId: string, status: string): Promise<DocumentRecord> =>
      waitFor(async () => documents.findOne({ _id: documentId, status, announcePending: false } as object), {
        what: `document ${documentId} to be ${status} and known`,
      }),
    stored: async ({ objectKey }: DocumentRecord): Promise<string[]> => {
      const lists = foldersOf(objectKey).map((Prefix) =>
        s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix })),
      );
      return (await Promise.all(lists)).flatMap(({ Contents = [] }) => Contents.map(({ Key = "" }) => Key));
    },
    file: async (record: DocumentRecord): Promise<Buffer> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: fileKey(record) }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    until: <T>(condition: () => T | Promise<T>, what: string) => waitFor(condition, what),
    /** Publishes like storage; returns when the stream has the notifications. */
    async notify(notice: unknown, times = 1): Promise<void> {
      for (let i = 0; i < times; i += 1)
        await nats.jetstream().publish(storageSubject(namespace), JSON.stringify(notice));
    },
    async notices(): Promise<{ waiting: number; last: number }> {
      const manager = await nats.jetstreamManager();
      const { state } = await manager.streams.info(streamName(namespace, "STORAGE"));
      return { waiting: state.messages, last: state.last_seq };
    },
    async wipeStream(): Promise<void> {
      await removal((await nats.jetstreamManager()).streams.delete(streamName(namespace, "STORAGE")));
    },
    async end(): Promise<void> {
      await on.stop();
      await nats.close();
      await mongo.close();
      s3.destroy();
    },
  };
  return stage;
}

export const A_BODY = { documentCategory: "BankStatement", contentType: "application/pdf" };

const callMeta = (partnerId: string): CallMeta => ({
  requestId: `request-${partnerId}`,
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  caller: { kind: "partner", partnerId, clientId: "client", scopes: ["partner.write"] },
});

export const put = (
  { uploadUrl, headers }: Pick<UploadLink, "uploadUrl" | "headers">,
  body: Buffer = PDF,
  contentType = headers["Content-Type"],
): Promise<Response> =>
  fetch(uploadUrl, {
    method: "PUT",
    body: new Uint8Array(body),
    headers: { ...headers, "Content-Type": contentType },
  });

type Recorded = { customerId: string; document: DocumentSummary; requestId: string };

async function startScriptedProfile(on: Stage) {
  const script = {
    recorded: [] as Recorded[],
    asked: [] as unknown[],
    questionCalls: 0,
    refusal: null as AppError | null,
    keys: claimedKeys(on.clock),
    isAway: false,
    /** A question about this customer cannot be answered. */
    unreadable: null as string | null,
    /** The customer is erased by the time that its file is told. */
    isErased: false,
    of: (documentId: string) => script.recorded.filter(({ document }) => document.documentId === documentId),
  };
  const profile = () => ({
    name: "profile",
    actions: {
      uploadRefusals({ params: { questions } }: { params: { questions: UploadQuestion[] } }) {
        script.asked.push(...questions);
        script.questionCalls += 1;
        if (questions.some(({ customerId }) => customerId === script.unreadable)) throw new Error("damaged");
        const answers = questions.map((question) => script.keys.answer(question, script.refusal));
        return {
          refusals: answers.map(({ refusal }) => refusal && toPlainError(refusal)),
          documentIds: answers.map(({ documentId }) => documentId),
        };
      },
      recordDocument({ params, meta }: { params: Omit<Recorded, "requestId">; meta: unknown }) {
        if (script.isErased) throw new AppError("Customer.Erased", "gone");
        if (script.isAway) throw new AppError("Service.Unavailable", "away");
        script.recorded.push({ ...params, requestId: (meta as CallMeta).requestId });
        return { recorded: true };
      },
    },
  });
  return Object.assign(script, { broker: await on.start("profile", [profile]) });
}

function claimedKeys(clock: Stage["clock"]) {
  const claimed = new Map<string, { fingerprint: string; at: string; documentId: string }>();
  const claim = ({ partnerId, keyed }: UploadQuestion, refusal: AppError | null): string | null => {
    const name = `${partnerId} ${keyed?.key}`;
    const first = claimed.get(name);
    if (keyed && first && judgeKey(first, keyed.fingerprint, clock.now()) === "replay")
      return first.documentId;
    if (refusal) throw refusal;
    if (keyed?.documentId)
      claimed.set(name, { ...keyed, documentId: keyed.documentId, at: isoOf(clock.now()) });
    return keyed?.documentId ?? null;
  };
  return {
    answer(question: UploadQuestion, refusal: AppError | null) {
      try {
        return { refusal: null, documentId: claim(question, refusal) };
      } catch (error) {
        return { refusal: error as AppError, documentId: null };
      }
    },
  };
}

/** Asks again, as a partner would: on a busy machine storage may answer too late, which is a 503. */
async function asPartner<T>(call: () => Promise<T>, tries = 3): Promise<T> {
  return call().catch((error: unknown) => {
    if (tries === 1 || errorCode(error) !== "Service.Unavailable") throw error;
    return asPartner(call, tries - 1);
  });
}
