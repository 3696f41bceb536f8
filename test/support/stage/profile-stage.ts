/** A real profile service and a caller on another node, over real NATS and MongoDB, with a clock to move. */
import { randomBytes } from "node:crypto";
import type { mongo } from "mongoose";
import profileService from "../../../services/profile/profile.service.ts";
import type { Tombstone } from "../../../services/profile/record/erased-customer.rules.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import type { ConfirmRequest } from "../../../shared/contract/actions/document.ts";
import { type ActionName, mayCall } from "../../../shared/contract/actions.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import { orderedId, randomId } from "../../../shared/ids.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { expectDocumentedEvent } from "../http/documented.ts";
import { auditOf } from "./audit-of.ts";
import { callAlone } from "./call-alone.ts";
import { untilForgotten, untilKnown } from "./known-nodes.ts";
import { openStage, type Settings } from "./stage.ts";

export type ProfileStage = Awaited<ReturnType<typeof startProfileStage>>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely and fail when they are wrong.
export type Loose = any;
export type Value = Record<string, Loose>;
export type Outcome<T = Value> =
  | { ok: true; value: T; headers: Record<string, string>; warnings: Loose[] }
  | { ok: false; status: number; code: string; message: string; details: Loose[] };

type Wish = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  ifMatch?: string;
  caller?: Caller | null;
  callId?: string;
  idempotencyKey?: string;
  isStrict?: boolean;
};

type CaseStep = "claimCase" | "releaseCase" | "requestChanges" | "approveCase" | "rejectCase";

export async function startProfileStage(settings: Settings = {}, { on = openStage(settings) } = {}) {
  const { namespace, clock, log } = on;
  const partnerId = randomId();
  const documents = new Map<string, DocumentSummary & { customerId: string }>();
  /** Customers whose files are to be removed. */
  const erasure = { asked: [] as string[], isAway: false };
  const startProfile = () => on.start("profile", [profileService]);
  const [service, edge, document, delivery] = await Promise.all([
    startProfile(),
    on.start("gateway", []),
    on.start("document", [() => documentStandIn(documents, erasure)]),
    on.start("delivery", []),
  ]);
  const callers = { gateway: edge, document, delivery, admin: service };
  await on.untilMet();

  /** Another instance, which the caller knows of until it is stopped. */
  async function startReplica(): Promise<{ stop(): Promise<void> }> {
    const replica = await startProfile();
    await untilKnown(edge, "profile", replica);
    return {
      async stop() {
        await on.end(replica);
        await untilForgotten(edge, "profile", replica);
      },
    };
  }

  async function ask<T = Value>(action: ActionName, wish: Wish = {}): Promise<Outcome<T>> {
    const { params = {}, query = {}, body, ifMatch = null, caller = partner(partnerId) } = wish;
    const meta: Value = {
      requestId: randomId(),
      traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-01`,
      caller,
      ...(wish.callId ? { callId: wish.callId } : {}),
    };
    const { idempotencyKey = null, isStrict = false } = wish;
    const http = { params, query, body, headers: { ifMatch, idempotencyKey, isStrict } };
    try {
      const value = (await (action === "profile.create"
        ? callAlone(edge, action, http, meta)
        : edge.call(action, http, { meta }))) as T;
      return { ok: true, value, headers: meta.$responseHeaders ?? {}, warnings: meta.$warnings ?? [] };
    } catch (error) {
      const { code, type, message, data } = error as AppError;
      return { ok: false, status: code, code: type, message, details: [...(data?.details ?? [])] };
    }
  }

  const { connection } = serviceRuntimeOf(service).mongo;
  const collection = connection.collection<StoredProfile>("business_profiles");
  const stage = {
    namespace,
    partnerId,
    clock,
    log,
    ask,
    service,
    edge,
    startReplica,
    documents,
    erasure,
    collection,
    client: () => connection.getClient(),
    explain: (command: object) => connection.db?.command({ explain: command }),
    audit: auditOf(service),
    collectionOf: <T extends mongo.BSON.Document>(name: string) => connection.collection<T>(name),
    /** As a process calls that may; the operator from the service's own node. */
    call: <T>(action: ActionName, params: object): Promise<T> => {
      const [caller] = Object.entries(callers).filter(([process]) => mayCall(process, action));
      if (!caller) throw new Error(`Nobody here may call ${action}`);
      return caller[1].call(action, params, { meta: {} }) as Promise<T>;
    },
    /** The value, or the test fails with the refusal. */
    async get<T = Value>(action: ActionName, wish: Wish = {}): Promise<T> {
      const outcome = await ask<T>(action, wish);
      if (!outcome.ok) throw new Error(`${action}: ${outcome.status} ${outcome.code} ${outcome.message}`);
      return outcome.value;
    },
    create: (body: unknown, caller?: Caller) =>
      stage.get<{ customerId: string; ubos: { uboId: string }[] } & Value>("profile.create", {
        body,
        ...(caller ? { caller } : {}),
      }),
    read: (customerId: string) => stage.get("profile.get", { params: { customerId } }),
    status: (customerId: string) => stage.get("profile.verificationStatus", { params: { customerId } }),
    patch: (customerId: string, body: unknown, more: Wish = {}) =>
      ask("profile.patch", { params: { customerId }, body, ...more }),
    put: (customerId: string, body: unknown, more: Wish = {}) =>
      ask("profile.replace", { params: { businessProfileId: customerId }, body, ...more }),
    step: (name: CaseStep, customerId: string, caller = analyst("ada"), body?: unknown) =>
      ask(`profile.${name}`, { params: { customerId }, caller, body }),
    async recordDocument(customerId: string, document: object): Promise<Value> {
      const customer = (await collection.findOne({ _id: customerId })) as Partial<Tombstone> | null;
      return stage.call<Value>("profile.recordDocument", {
        customerId,
        partnerId: customer?.erased?.partnerId ?? customer?.partnerId ?? randomId(),
        document: {
          documentId: randomId(),
          documentCategory: "BusinessLicense",
          contentType: "application/pdf",
          sizeBytes: 10,
          uboId: null,
          status: "Confirmed",
          reason: null,
          uploadedAt: "2030-01-01T00:00:00.000Z",
          confirmedAt: "2030-01-01T00:00:00.000Z",
          ...document,
        },
      });
    },
    /** As the database has it. Its events must be such as the API document shows. */
    async stored(customerId: string): Promise<StoredProfile | null> {
      const profile = await collection.findOne({ _id: customerId });
      for (const { body } of profile?.outbox ?? []) expectDocumentedEvent(JSON.parse(body));
      return profile;
    },
    /** Its events, in the order of their numbers. */
    async events(customerId: string): Promise<Loose[]> {
      return ((await stage.stored(customerId))?.outbox ?? []).map(({ body }) => JSON.parse(body));
    },
    stop: on.stop,
  };
  return stage;
}

export const partner = (partnerId: string): Caller => ({
  kind: "partner",
  partnerId,
  clientId: `client-${partnerId.slice(0, 8)}`,
  scopes: ["partner.read", "partner.write"],
});

export const analyst = (name: string): Caller => ({
  kind: "analyst",
  userId: `analyst-${name}`,
  email: `${name}@operator.test`,
});

export const aCallId = (now = Date.now()): string => orderedId(now);

/** Knows the documents a test put on the stage; the real service has its own tests. */
const documentStandIn = (
  documents: Map<string, DocumentSummary & { customerId: string }>,
  erasure: { asked: string[]; isAway: boolean },
) => ({
  name: "document",
  actions: {
    eraseForCustomer: {
      visibility: "public",
      handler({ params }: { params: { customerId: string } }) {
        if (erasure.isAway) throw new AppError("Service.Unavailable", "away");
        erasure.asked.push(params.customerId);
        return { documents: 0 };
      },
    },
    signViewLink: {
      visibility: "public",
      handler: ({ params }: { params: { customerId: string; documentId: string } }) => ({
        url: `https://storage.test/${params.customerId}/${params.documentId}`,
        contentType: "application/pdf",
        disposition: "inline",
        fileName: "BusinessLicense.pdf",
        expiresAt: "2030-01-01T00:01:00.000Z",
      }),
    },
    confirmForCustomer: {
      visibility: "public",
      handler({ params }: { params: ConfirmRequest }) {
        const asked = params.documentIds.filter((id) => !params.simulatedIds?.includes(id));
        return asked.map((id) => {
          const document = documents.get(id);
          if (!document) throw new AppError("Document.NotFound", "There is no such document.");
          const { customerId, ...summary } = document;
          if (customerId !== params.customerId)
            throw new AppError("Document.AccessDenied", "The document belongs to another customer.");
          return { ...summary, status: "Confirmed" };
        });
      },
    },
  },
});
