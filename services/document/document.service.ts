/** Documents: upload links, arrivals, confirmation. */
import { createBatcher } from "../../shared/batcher.ts";
import type { UploadQuestion } from "../../shared/contract/actions/profile.ts";
import { errorCode } from "../../shared/errors.ts";
import { REPLAYED } from "../../shared/idempotency.rules.ts";
import { type CallMeta, partnerOf } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import { deadLetters } from "../../shared/jetstream/dead-letters.ts";
import type { Consumption } from "../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../shared/jetstream/streams.ts";
import { createKeysInUse } from "../../shared/keys-in-use.ts";
import { createGroupAnswerer } from "../../shared/moleculer/answer-group.ts";
import { fromPlainError } from "../../shared/moleculer/grouped-call.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { type CallAction, callerFor, internal } from "../../shared/moleculer/typed-actions.ts";
import { collectionOf } from "../../shared/mongo/mongo.ts";
import { partnerStandings } from "../../shared/stores/partner-standings.repository.ts";
import { consumeArrivals } from "./arrival.consumer.ts";
import { COLLECTIONS } from "./collections.ts";
import { confirmForCustomer } from "./confirm-for-customer.ts";
import { createUploadLink } from "./create-upload-link.ts";
import type { Deps } from "./deps.ts";
import { documentRepository, TOGETHER } from "./document.repository.ts";
import { summaryOf } from "./document.rules.ts";
import { createScanner, NO_SCANNER } from "./file/scanner.ts";
import { ALIAS_DEPRECATION } from "./link.rules.ts";
import { receiveNotifications } from "./receive-notifications.ts";
import { signViewLink } from "./sign-view-link.ts";
import { createStorage } from "./storage/storage.ts";
import { createDocumentSweep } from "./sweep.ts";

export default defineService("document", (runtime, broker) => {
  const { config, clock, jetstream, lanes, lifecycle, logger, metrics, mongo } = runtime;
  const storage = createStorage(config);
  const repository = documentRepository(mongo.connection);
  const dead = deadLetters(collectionOf(mongo.connection, COLLECTIONS.deadLetters), clock);
  const { scannerAddress } = config;
  const scanner = scannerAddress === "none" ? NO_SCANNER : createScanner(scannerAddress, metrics);
  const call = callerFor("document", broker);
  const deadlineMs = Math.round(config.requestTimeoutMs * 0.8);
  const deps: Deps = {
    repository,
    scanner,
    standings: partnerStandings(mongo.connection),
    storage,
    recordInProfile: recordInProfile(call),
    clock,
    logger,
    metrics,
    looks: { firstMs: config.documentFirstLookMs, mostMs: config.documentLookMs },
    bucket: config.s3Bucket,
    deadlineMs,
  };
  const linkDeps = { ...deps, checkUpload: uploadQuestions(call, deadlineMs) };
  const sweep = createDocumentSweep({ ...deps, lanes, everyMs: config.documentSweepMs });
  const keysInUse = createKeysInUse();
  const linkTogether = createGroupAnswerer(
    runtime,
    "document.createUploadLink",
    async ({ params, body, headers }, meta) => {
      const { requestId, traceparent, callId = null } = meta;
      if (usesAlias(body)) meta.$responseHeaders = { Deprecation: ALIAS_DEPRECATION };
      const { idempotencyKey = null, isStrict = false } = headers;
      const request = { partnerId: partnerOf(meta), idempotencyKey, callId };
      const asked = { customerId: params.customerId ?? "", body, isStrict, requestId, traceparent };
      const { link, warnings, isReplay } = await keysInUse(request, () =>
        createUploadLink(linkDeps, { ...request, ...asked }),
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
      takeNotices: internal(({ params }) => receiveNotifications(deps, params.message, sweep.wake)),
      confirmForCustomer: internal(({ params }) => confirmForCustomer(deps, params)),
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
      arrivals = consumeArrivals({ ...deps, jetstream, deadLetters: dead });
      sweep.start();
    },
    async stop() {
      await Promise.all([arrivals?.stop(), sweep.stop()]);
    },
  };
});

const usesAlias = (body: unknown): boolean => isRecord(body) && "ownershipDetailId" in body;

/** Whether this customer may get a document now; concurrent questions are one call. */
const uploadQuestions = (call: CallAction<"document">, timeout: number) =>
  createBatcher<UploadQuestion, string | null>({
    async run(questions) {
      const { refusals, documentIds } = await call("profile.uploadRefusals", { questions }, { timeout });
      return refusals.map((refusal, index) =>
        refusal ? fromPlainError(refusal) : (documentIds[index] ?? null),
      );
    },
    isOneItemsFault: (error) => errorCode(error) === "Service.Error",
    ...TOGETHER,
  }).add;

const recordInProfile =
  (call: CallAction<"document">): Deps["recordInProfile"] =>
  async (record) => {
    const { customerId, partnerId, requestId, traceparent } = record;
    const meta: CallMeta = { requestId, traceparent, caller: null };
    await call("profile.recordDocument", { customerId, partnerId, document: summaryOf(record) }, { meta });
  };
