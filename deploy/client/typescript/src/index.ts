/** The Partner Business Onboarding API: `createClient`, then one method for each call. */
import { createHash } from "node:crypto";
import { ConnectionError } from "./errors.ts";
import { checkedBaseUrl, refuseRedirect } from "./exchange.ts";
import { type CallOptions, createHttp } from "./http.ts";
import { createTokenSource } from "./token.ts";
import type * as Api from "./types.ts";

export { ApiError, ConnectionError, TokenError, WebhookError } from "./errors.ts";
export type { CallOptions } from "./http.ts";
export type * from "./types.ts";
export { unwrap, type WebhookHeaders } from "./webhooks.ts";

export type ClientSettings = {
  /** The base address without /api: https, or http on this machine. */
  baseUrl: string;
  clientId: string;
  /** PEM text of the private key whose certificate is registered. */
  privateKey: string;
  /** "partner.read" for a client that only reads; both scopes when left out. */
  scope?: string;
  /** 20 seconds when left out. */
  timeoutMs?: number;
  /** Tries after the first one; 3 when left out. */
  retries?: number;
  /** Told what was probably not meant in a request that succeeded: an unknown property, a check digit. */
  onWarnings?(warnings: readonly Api.Violation[]): void;
};

export type ListFilter = Readonly<Record<string, string | number | undefined>>;
export type Upload = {
  documentCategory: Api.DocumentCreateUploadLinkRequest["documentCategory"];
  contentType: Api.DocumentCreateUploadLinkRequest["contentType"];
  uboId?: string;
  file: Uint8Array<ArrayBuffer>;
};

export type EventPage = Api.DeliveryListEventsAnswer["value"];
export type Client = ReturnType<typeof createClient>;

const PROFILES = "/partner/v1/business-profiles";
const RULES = "/customer/v1/onboarding";
const UPLOAD_WITHIN_MS = 300_000;

export function createClient({ timeoutMs = 20_000, retries = 3, ...settings }: ClientSettings) {
  const baseUrl = checkedBaseUrl(settings.baseUrl);
  const tokens = createTokenSource({ ...settings, baseUrl, timeoutMs });
  const onWarnings = settings.onWarnings ?? (() => undefined);
  const call = createHttp({ baseUrl, timeoutMs, retries, tokens, onWarnings });
  const one = (customerId: string) => `${PROFILES}/${encodeURIComponent(customerId)}`;

  const client = {
    /** For calls of your own. */
    token: tokens.get,

    create: (body: Api.ProfileCreateRequest, options: CallOptions = {}) =>
      call<Api.ProfileCreateAnswer["value"]>({ method: "POST", path: PROFILES, body, ...options }),
    replace: (body: Api.ProfileReplaceRequest, options: CallOptions = {}) =>
      call<Api.ProfileReplaceAnswer["value"]>({
        method: "PUT",
        path: one(body.customerId),
        body,
        ...options,
      }),
    patch: (customerId: string, body: Api.ProfilePatchRequest, options: CallOptions = {}) =>
      call<Api.ProfilePatchAnswer["value"]>({ method: "PATCH", path: one(customerId), body, ...options }),
    /** Corrects one person; what is left out stays. */
    patchPerson: (
      customerId: string,
      uboId: string,
      body: Api.ProfilePatchPersonRequest,
      options: CallOptions = {},
    ) =>
      call<Api.ProfilePatchPersonAnswer["value"]>({
        method: "PATCH",
        path: `${one(customerId)}/persons/${encodeURIComponent(uboId)}`,
        body,
        ...options,
      }),
    get: (customerId: string) => call<Api.BusinessProfile>({ method: "GET", path: one(customerId) }),
    getByReference: (partnerCustomerId: string) =>
      call<Api.BusinessProfile>({
        method: "GET",
        path: `${PROFILES}/by-reference/${encodeURIComponent(partnerCustomerId)}`,
      }),
    verificationStatus: (customerId: string) =>
      call<Api.VerificationOutcome>({ method: "GET", path: `${one(customerId)}/verification-status` }),

    /** In the sandbox only: decides the review of a customer, as an analyst would. */
    simulate: (customerId: string, body: Api.ProfileSimulateRequest, options: CallOptions = {}) =>
      call<Api.VerificationOutcome>({
        method: "POST",
        path: `${one(customerId)}/simulate`,
        body,
        ...options,
      }),

    /** Every customer, newest first, page by page as you go on. */
    async *list(filter: ListFilter = {}): AsyncGenerator<Api.BusinessProfileSummary, void, undefined> {
      let cursor: string | undefined;
      do {
        const query = { ...filter, ...(cursor ? { cursor } : {}) };
        const page = await call<Api.ProfileListAnswer["value"]>({ method: "GET", path: PROFILES, query });
        yield* page.items;
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
    },

    uploadLink: (customerId: string, body: Api.DocumentCreateUploadLinkRequest, options: CallOptions = {}) =>
      call<Api.DocumentCreateUploadLinkAnswer["value"]>({
        method: "POST",
        path: `${one(customerId)}/documents/upload-link`,
        body,
        ...options,
      }),
    /** Link and file in one call; the link takes this very file and no other. Answers the document's id. */
    async upload(customerId: string, { file, ...wish }: Upload): Promise<string> {
      const sha256 = createHash("sha256").update(file).digest("hex");
      const link = await client.uploadLink(customerId, { ...wish, sizeBytes: file.byteLength, sha256 });
      const signal = AbortSignal.timeout(UPLOAD_WITHIN_MS);
      const headers = { ...link.headers };
      const sent = { method: link.method, headers, body: file, signal, redirect: "manual" as const };
      const stored = await fetch(link.uploadUrl, sent).catch((cause: unknown) => {
        throw new ConnectionError("Storage does not answer.", cause);
      });
      refuseRedirect(stored);
      if (!stored.ok) throw new ConnectionError(`Storage refused the file: ${stored.status}.`);
      return link.documentId;
    },

    /** Every event after the cursor, oldest first. Keep the cursor of the last page; the next call goes on from it. */
    async *events(cursor?: string): AsyncGenerator<EventPage, void, undefined> {
      let after = cursor;
      let hasMore = true;
      while (hasMore) {
        const query = { ...(after ? { cursor: after } : {}) };
        const page = await call<EventPage>({ method: "GET", path: "/partner/v1/events", query });
        yield page;
        after = page.nextCursor;
        hasMore = page.hasMore;
      }
    },

    identityRequirements: (countryCode: string) =>
      call<Api.ProfileIdentityRequirementsAnswer["value"]>({
        method: "GET",
        path: `${RULES}/ubo-identity-requirements`,
        query: { countryCode },
      }),
    countries: () => call<Api.ProfileCountriesAnswer["value"]>({ method: "GET", path: `${RULES}/countries` }),
    businessTypes: () =>
      call<Api.ProfileBusinessTypesAnswer["value"]>({ method: "GET", path: `${RULES}/business-types` }),
  };
  return client;
}
