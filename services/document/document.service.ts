/** Documents: upload links, arrivals, confirmation. */
import type { ServiceBroker } from "moleculer";
import { createBatcher } from "../../shared/batcher.ts";
import type { UploadQuestion } from "../../shared/contract/actions/profile.ts";
import { errorCode } from "../../shared/errors.ts";
import { REPLAYED } from "../../shared/idempotency.rules.ts";
import { type CallMeta, partnerOf } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import { deadLetters } from "../../shared/jetstream/dead-letters.ts";
import type { Consumption } from "../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../shared/jetstream/streams.ts";
import { createKeysInHand } from "../../shared/keys-in-hand.ts";
import { createGroupAnswerer } from "../../shared/moleculer/answer-group.ts";
import { fromPlainError } from "../../shared/moleculer/grouped-call.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { callerFor, internal } from "../../shared/moleculer/typed-actions.ts";
import { collectionOf } from "../../shared/mongo/mongo.ts";
import { partnerStandings } from "../../shared/stores/partner-standings.repository.ts";
import { consumeArrivals } from "./arrival.consumer.ts";
import { COLLECTIONS } from "./collections.ts";
import { confirmForCustomer } from "./confirm-for-customer.ts";
import { createUploadLink } from "./create-upload-link.ts";
import { documentRepository, TOGETHER } from "./document.repository.ts";
import { type DocumentRecord, summaryOf } from "./document.rules.ts";
import { createScanner, NO_SCANNER } from "./file/scanner.ts";
import { ALIAS_DEPRECATION } from "./link.rules.ts";
import { signViewLink } from "./sign-view-link.ts";
import { createStorage } from "./storage/storage.ts";
import { createStorageHealth } from "./storage/storage-health.ts";
import { createDocumentSweep } from "./sweep.ts";
import { takeNotices } from "./take-notices.ts";

export default defineService("document", (runtime, broker) => {
  const { config, clock, jetstream, lanes, lifecycle, logger, metrics, mongo } = runtime;
  const storage = createStorage(config);
  const repository = documentRepository(mongo.connection);
  const dead = deadLetters(collectionOf(mongo.connection, COLLECTIONS.deadLetters), clock);
  const { scannerAddress } = config;
  const scanner = scannerAddress === "none" ? NO_SCANNER : createScanner(scannerAddress, metrics);
  const deps = {
    repository,
    scanner,
    standings: partnerStandings(mongo.connection),
    storage,
    profile: { recordDocument: recordDocument(broker) },
    clock,
    logger,
    metrics,
    looks: { firstMs: config.documentFirstLookMs, mostMs: config.documentLookMs },
  };
  const deadlineMs = ownDeadlineMs(runtime);
  const linkDeps = {
    ...deps,
    storageAnswers: createStorageHealth(storage),
    checkUpload: uploadQuestions(broker, deadlineMs),
  };
  const confirmDeps = { ...deps, deadlineMs };
  const sweep = createDocumentSweep({ ...deps, lanes, everyMs: config.documentSweepMs });
  const keysInHand = createKeysInHand();
  const linkTogether = createGroupAnswerer(
    runtime,
    "document.createUploadLink",
    async ({ params, body, headers }, meta) => {
      const { requestId, traceparent, callId = null } = meta;
      if (usesAlias(body)) meta.$responseHeaders = { Deprecation: ALIAS_DEPRECATION };
      const { idempotencyKey = null, isStrict = false } = headers;
      const request = { partnerId: partnerOf(meta), idempotencyKey, callId };
      const wish = { customerId: params.customerId ?? "", body, isStrict, requestId, traceparent };
      const { link, warnings, isReplay } = await keysInHand(request, () =>
        createUploadLink(linkDeps, { ...request, ...wish }),
      );
      if (isReplay) meta.$responseHeaders = { ...meta.$responseHeaders, ...REPLAYED };
      meta.$warnings = warnings;
      return link;
    },
  );
  let arrivals: Consumption | undefined;

  return {
    actions: {
      createUploadLink: internal(({ params }) => linkTogether(params.requests)),
      takeNotices: internal(({ params }) =>
        takeNotices({ ...deps, bucket: config.s3Bucket, wake: sweep.wake }, params.message),
      ),
      confirmForCustomer: internal(({ params }) => confirmForCustomer(confirmDeps, params)),
      signViewLink: internal(({ params }) => signViewLink(deps, params)),
      /** Marks the documents of a customer; the sweep then removes their files. Twice does no harm. */
      eraseForCustomer: internal(async ({ params }) => {
        const customerId = String(params.customerId);
        const documents = await repository.eraseOfCustomer(customerId, new Date(clock.now()));
        logger.info({ customerId, documents }, "documents.erased");
        sweep.wake();
        return { documents };
      }),
      setPartnerStanding: internal(async ({ params }) => {
        await deps.standings.keep(params);
        return null;
      }),
    },
    collections: COLLECTIONS,
    streams: [STREAMS.STORAGE],
    consumers: [CONSUMERS.documentArrival],
    async start() {
      if (scannerAddress === "none") logger.warn("documents.not_scanned");
      else logger.info({ scanner: scannerAddress }, "documents.scanned");
      lifecycle.onClose("storage", async () => storage.close());
      arrivals = consumeArrivals({ ...deps, jetstream, deadLetters: dead, bucket: config.s3Bucket });
      sweep.start();
    },
    async stop() {
      await Promise.all([arrivals?.stop(), sweep.stop()]);
    },
  };
});

const usesAlias = (body: unknown): boolean => isRecord(body) && "ownershipDetailId" in body;

/** Leaves the caller time for what comes after the answer, be it only to pass it on. */
const ownDeadlineMs = ({ config }: Runtime): number => Math.round(config.requestTimeoutMs * 0.8);

/** Whether this customer may get a document now; questions that come together are one call. */
function uploadQuestions(
  broker: ServiceBroker,
  timeout: number,
): (question: UploadQuestion) => Promise<string | null> {
  const call = callerFor("document", broker);
  return createBatcher<UploadQuestion, string | null>({
    async run(questions) {
      const { refusals, documentIds } = await call("profile.uploadRefusals", { questions }, { timeout });
      return refusals.map((refusal, index) =>
        refusal ? fromPlainError(refusal) : (documentIds[index] ?? null),
      );
    },
    isOneItemsFault: (error) => errorCode(error) === "Service.Error",
    ...TOGETHER,
  }).add;
}

function recordDocument(broker: ServiceBroker) {
  const call = callerFor("document", broker);
  return async (record: DocumentRecord): Promise<void> => {
    const { customerId, partnerId, requestId, traceparent } = record;
    const meta: CallMeta = { requestId, traceparent, caller: null };
    await call("profile.recordDocument", { customerId, partnerId, document: summaryOf(record) }, { meta });
  };
}
