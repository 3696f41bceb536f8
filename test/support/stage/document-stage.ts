/** A real document service on real servers; the profile service is scripted here, to see and to fail its calls. */
import { randomUUID } from "node:crypto";
import { ServiceBroker } from "moleculer";
import mongoose from "mongoose";
import { connect } from "nats";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import documentService from "../../../services/document/document.service.ts";
import type { DocumentSummary, UploadLink } from "../../../shared/action-types/document.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { storageSubject, streamName } from "../../../shared/jetstream/streams.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import { databaseName } from "../../../shared/mongo.ts";
import { removal } from "../servers/jetstream-removal.ts";
import { aTestNamespace, createTestBucket, testServerSettings, testServers } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";

export const PDF = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n");

export type DocumentStage = Awaited<ReturnType<typeof startDocumentStage>>;
type Settings = Record<string, string>;
export type Who = { customerId: string; partnerId: string };

/** deaf: storage's notices go elsewhere, so that only the service itself can find a file. */
export async function startDocumentStage({ deaf = false } = {}) {
  const namespace = aTestNamespace();
  const noticesTo = deaf ? aTestNamespace() : namespace;
  const bucket = await createTestBucket(noticesTo);
  const clock = { offset: 0, now: () => Date.now() + clock.offset };
  const profile = await startScriptedProfile(namespace);
  const mongo = await mongoose.createConnection(testServers().mongodbUri).asPromise();
  const documents = mongo
    .useDb(databaseName(namespace, "document"))
    .collection("documents") as unknown as mongoose.mongo.Collection<DocumentRecord>;
  const nats = await connect({ servers: testServers().natsUrl });
  if (deaf) {
    const manager = await nats.jetstreamManager();
    await manager.streams.add({ name: noticesTo, subjects: [storageSubject(noticesTo)] });
  }
  const brokers: ServiceBroker[] = [];

  const stage = {
    namespace,
    bucket,
    s3Endpoint: testServers().s3.endpoint,
    clock,
    profile,
    documents,
    async start(settings: Settings = {}): Promise<void> {
      const config = loadConfig("document", {
        ...testServerSettings(namespace),
        PBO_S3_BUCKET: bucket,
        PBO_LOG_LEVEL: "fatal",
        PBO_DOCUMENT_SWEEP_MS: "50",
        ...settings,
      });
      const broker = new ServiceBroker(brokerOptions(config, { clock }));
      broker.createService(documentService(broker));
      await broker.start();
      brokers.push(broker);
      await profile.broker.waitForServices(["document"], 10_000);
      await broker.waitForServices(["profile"], 10_000);
    },
    async stop(): Promise<void> {
      await Promise.all(brokers.splice(0).map((broker) => broker.stop()));
    },
    aCustomer: (): Who => ({ customerId: randomUUID(), partnerId: randomUUID() }),
    link: ({ customerId, partnerId }: Who, body: unknown = A_BODY, meta: Record<string, unknown> = {}) =>
      profile.broker.call<UploadLink, object>(
        "document.createUploadLink",
        { params: { customerId }, query: {}, body, headers: { ifMatch: null } },
        { meta: Object.assign(meta, callMeta(partnerId)) },
      ),
    confirm: (customer: Who, documentIds: readonly string[]) =>
      profile.broker.call<DocumentSummary[], object>("document.confirmForCustomer", {
        ...customer,
        documentIds,
      }),
    find: (documentId: string) => documents.findOne({ _id: documentId }),
    settled: (documentId: string, status: string): Promise<DocumentRecord> =>
      waitFor(async () => documents.findOne({ _id: documentId, status, announcePending: false } as object), {
        what: `document ${documentId} to be ${status} and known`,
      }),
    until: <T>(condition: () => T | Promise<T>, what: string) => waitFor(condition, { what }),
    /** As storage would; returns when the stream has them. */
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
      await stage.stop();
      await profile.broker.stop();
      await stage.wipeStream().catch(() => undefined);
      await nats.close();
      await mongo.useDb(databaseName(namespace, "document")).dropDatabase();
      await mongo.close();
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
  fetch(uploadUrl, { method: "PUT", body: new Uint8Array(body), headers: { "Content-Type": contentType } });

export type Recorded = { customerId: string; document: DocumentSummary; requestId: string };

async function startScriptedProfile(namespace: string) {
  const config = loadConfig("profile", {
    ...testServerSettings(namespace),
    PBO_FIELD_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
    PBO_LOG_LEVEL: "fatal",
  });
  const broker = new ServiceBroker(brokerOptions(config));
  const script = {
    broker,
    recorded: [] as Recorded[],
    asked: [] as unknown[],
    refusal: null as AppError | null,
    isAway: false,
    of: (documentId: string) => script.recorded.filter(({ document }) => document.documentId === documentId),
  };
  broker.createService({
    name: "profile",
    actions: {
      customerForUpload({ params }: { params: object }) {
        script.asked.push(params);
        if (script.refusal) throw script.refusal;
        return { partnerCustomerId: "ref-1", ...params };
      },
      recordDocument({ params, meta }: { params: Omit<Recorded, "requestId">; meta: unknown }) {
        if (script.isAway) throw new AppError("Service.Unavailable", "away");
        script.recorded.push({ ...params, requestId: (meta as CallMeta).requestId });
        return { recorded: true };
      },
    },
  } as never);
  await broker.start();
  return script;
}
