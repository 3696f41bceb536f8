/** The Partner Business Onboarding API: `createClient`, then one method for each call. */
import { createHash } from "node:crypto";
import { ConnectionError, refuseRedirect } from "./errors.ts";
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
  /** Called with likely mistakes in a request that succeeded: an unknown property, a check digit. */
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
  const get = <T>(path: string, query: ListFilter = {}) => call<T>({ method: "GET", path, query });
  const post = <T>(path: string, body: unknown, options: CallOptions) =>
    call<T>({ method: "POST", path, body, ...options });
  const patch = <T>(path: string, body: unknown, options: CallOptions) =>
    call<T>({ method: "PATCH", path, body, ...options });
  const one = (customerId: string) => `${PROFILES}/${encodeURIComponent(customerId)}`;

  const client = {
    /** For calls of your own. */
    token: tokens.get,

    create: (body: Api.ProfileCreateRequest, options: CallOptions = {}) =>
      post<Api.ProfileCreateAnswer["value"]>(PROFILES, body, options),
    replace: (body: Api.ProfileReplaceRequest, options: CallOptions = {}) => {
      const path = one(body.customerId);
      return call<Api.ProfileReplaceAnswer["value"]>({ method: "PUT", path, body, ...options });
    },
    patch: (customerId: string, body: Api.ProfilePatchRequest, options: CallOptions = {}) =>
      patch<Api.ProfilePatchAnswer["value"]>(one(customerId), body, options),
    /** Corrects one person; omitted fields stay. */
    patchPerson: (
      customerId: string,
      uboId: string,
      body: Api.ProfilePatchPersonRequest,
      options: CallOptions = {},
    ) => {
      const path = `${one(customerId)}/persons/${encodeURIComponent(uboId)}`;
      return patch<Api.ProfilePatchPersonAnswer["value"]>(path, body, options);
    },
    get: (customerId: string) => get<Api.BusinessProfile>(one(customerId)),
    getByReference: (partnerCustomerId: string) =>
      get<Api.BusinessProfile>(`${PROFILES}/by-reference/${encodeURIComponent(partnerCustomerId)}`),
    verificationStatus: (customerId: string) =>
      get<Api.VerificationOutcome>(`${one(customerId)}/verification-status`),

    /** In the sandbox only: decides the review of a customer, as an analyst would. */
    simulate: (customerId: string, body: Api.ProfileSimulateRequest, options: CallOptions = {}) =>
      post<Api.VerificationOutcome>(`${one(customerId)}/simulate`, body, options),

    /** Every customer, newest first; fetches further pages as you iterate. */
    async *list(filter: ListFilter = {}): AsyncGenerator<Api.BusinessProfileSummary, void, undefined> {
      let cursor: string | undefined;
      do {
        const page = await get<Api.ProfileListAnswer["value"]>(PROFILES, {
          ...filter,
          ...withCursor(cursor),
        });
        yield* page.items;
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
    },

    uploadLink: (
      customerId: string,
      body: Api.DocumentCreateUploadLinkRequest,
      options: CallOptions = {},
    ) => {
      const path = `${one(customerId)}/documents/upload-link`;
      return post<Api.DocumentCreateUploadLinkAnswer["value"]>(path, body, options);
    },
    /** Link and file in one call; the link accepts only this file. Resolves to the document's id. */
    async upload(customerId: string, { file, ...about }: Upload): Promise<string> {
      const sha256 = createHash("sha256").update(file).digest("hex");
      const link = await client.uploadLink(customerId, { ...about, sizeBytes: file.byteLength, sha256 });
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

    /** Every event after the cursor, oldest first. Keep the cursor of the last page for the next call. */
    async *events(cursor?: string): AsyncGenerator<EventPage, void, undefined> {
      let after = cursor;
      let hasMore = true;
      while (hasMore) {
        const page = await get<EventPage>("/partner/v1/events", withCursor(after));
        yield page;
        after = page.nextCursor;
        hasMore = page.hasMore;
      }
    },

    identityRequirements: (countryCode: string) =>
      get<Api.ProfileIdentityRequirementsAnswer["value"]>(`${RULES}/ubo-identity-requirements`, {
        countryCode,
      }),
    countries: () => get<Api.ProfileCountriesAnswer["value"]>(`${RULES}/countries`),
    businessTypes: () => get<Api.ProfileBusinessTypesAnswer["value"]>(`${RULES}/business-types`),
  };
  return client;
}

const withCursor = (cursor: string | undefined): ListFilter => (cursor ? { cursor } : {});

/** Without trailing slashes. Plain http would expose tokens and customer data, so it is for this machine only. */
function checkedBaseUrl(text: string): string {
  const baseUrl = text.replace(/\/+$/, "");
  const { protocol, hostname } = URL.canParse(baseUrl) ? new URL(baseUrl) : { protocol: "", hostname: "" };
  const isOwn = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isOwn)) return baseUrl;
  throw new TypeError(`baseUrl must begin with https:// (http:// is for this machine only): ${text}`);
}
