/** Endpoints as the registry knows them, remembered for a few seconds; longer only while the registry is away. */
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { FieldCipher } from "../../../shared/field-cipher.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";

export type EndpointDirectory = {
  /** null when the partner has no webhook. Rejects when the registry is away and nothing recent is known. */
  find(partnerId: string): Promise<DeliveryEndpoint | null>;
  forget(partnerId: string): void;
  /** Secrets in force now, newest first. */
  secretsOf(endpoint: DeliveryEndpoint): string[];
};

type Deps = {
  lookUp(partnerId: string): Promise<DeliveryEndpoint | null>;
  cipher: FieldCipher;
  clock: Clock;
  logger: Logger;
};

const FRESH_MS = 3_000;
const USABLE_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

type Known = { endpoint: DeliveryEndpoint | null; at: number };

export const isLive = (endpoint: DeliveryEndpoint | null): endpoint is DeliveryEndpoint =>
  endpoint !== null && endpoint.status !== "Disabled";

export function createEndpointDirectory({ lookUp, cipher, clock, logger }: Deps): EndpointDirectory {
  const known = new BoundedMap<string, Known>(MAX_REMEMBERED);
  const asked = new Map<string, Promise<DeliveryEndpoint | null>>();
  const opened = new WeakMap<DeliveryEndpoint, { plain: string; notAfter: number }[]>();

  async function ask(partnerId: string): Promise<DeliveryEndpoint | null> {
    try {
      const endpoint = await lookUp(partnerId);
      // Forgotten meanwhile: this answer may be older than the change.
      if (asked.has(partnerId)) known.set(partnerId, { endpoint, at: clock.now() });
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

  function open(endpoint: DeliveryEndpoint) {
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
