/** Endpoints as the registry knows them, remembered for a few seconds; longer only while the registry is away. */
import type { Clock } from "../../../shared/clock.ts";
import type { FieldCipher, FieldPlace } from "../../../shared/field-cipher.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";

/** What webhook-registry.endpointForDelivery answers. */
export type RegisteredEndpoint = {
  endpointId: string;
  partnerId: string;
  url: string;
  status: "Active" | "Degraded" | "Disabled";
  consecutiveFailures: number;
  /** Newest first; notAfter is the end of the overlap after a rotation. */
  secrets: readonly { sealed: string; place: FieldPlace; notAfter: string | null }[];
};

export type EndpointDirectory = {
  /** null when the partner has no webhook. Rejects when the registry is away and nothing recent is known. */
  find(partnerId: string): Promise<RegisteredEndpoint | null>;
  forget(partnerId: string): void;
  /** Secrets in force now, newest first. */
  secretsOf(endpoint: RegisteredEndpoint): string[];
};

type Deps = {
  lookUp(partnerId: string): Promise<RegisteredEndpoint | null>;
  cipher: FieldCipher;
  clock: Clock;
  logger: Logger;
};

const FRESH_MS = 3_000;
const USABLE_MS = 5 * 60_000;
const MOST_REMEMBERED = 10_000;

type Known = { endpoint: RegisteredEndpoint | null; at: number };

export const isLive = (endpoint: RegisteredEndpoint | null): endpoint is RegisteredEndpoint =>
  endpoint !== null && endpoint.status !== "Disabled";

export function createEndpointDirectory({ lookUp, cipher, clock, logger }: Deps): EndpointDirectory {
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<RegisteredEndpoint | null>>();
  const opened = new WeakMap<RegisteredEndpoint, { plain: string; notAfter: number }[]>();

  async function ask(partnerId: string): Promise<RegisteredEndpoint | null> {
    try {
      const endpoint = await lookUp(partnerId);
      // Forgotten while it was asked for: what came may be older than the change.
      if (asked.has(partnerId)) remember(partnerId, { endpoint, at: clock.now() });
      return endpoint;
    } catch (err) {
      const last = known.get(partnerId);
      if (!last || clock.now() - last.at > USABLE_MS) throw err;
      logger.warn({ err, partnerId }, "endpoint.stale");
      return last.endpoint;
    } finally {
      asked.delete(partnerId);
    }
  }

  function remember(partnerId: string, entry: Known) {
    known.delete(partnerId);
    known.set(partnerId, entry);
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
  }

  function open(endpoint: RegisteredEndpoint) {
    const secrets = endpoint.secrets.map(({ sealed, place, notAfter }) => ({
      plain: cipher.open(sealed, place),
      notAfter: notAfter === null ? Number.POSITIVE_INFINITY : Date.parse(notAfter),
    }));
    opened.set(endpoint, secrets);
    return secrets;
  }

  return {
    async find(partnerId) {
      const last = known.get(partnerId);
      if (last && clock.now() - last.at < FRESH_MS) return last.endpoint;
      const request = asked.get(partnerId) ?? ask(partnerId);
      asked.set(partnerId, request);
      return request;
    },
    forget(partnerId) {
      known.delete(partnerId);
      asked.delete(partnerId);
    },
    secretsOf(endpoint) {
      const now = clock.now();
      const secrets = opened.get(endpoint) ?? open(endpoint);
      return secrets.filter(({ notAfter }) => notAfter > now).map(({ plain }) => plain);
    },
  };
}
