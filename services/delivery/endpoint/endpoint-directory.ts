/**
 * A cache of live endpoints: the attempt notices a stale entry. A dead endpoint is looked up every time, because no process
 * would notice that it was registered again. Entries live a few seconds, longer while the registry is away.
 */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import { AppError } from "../../../shared/errors.ts";
import type { FieldCipher } from "../../../shared/sealing/field-cipher.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";

export type EndpointDirectory = ReturnType<typeof createEndpointDirectory>;

type Deps = {
  lookUp(partnerId: string): Promise<DeliveryEndpoint | null>;
  cipher: FieldCipher;
  clock: Clock;
  logger: Logger;
};

const FRESH_MS = 3_000;
const USABLE_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

type Known = { endpoint: DeliveryEndpoint; at: number };

export const isLive = (endpoint: DeliveryEndpoint | null): endpoint is DeliveryEndpoint =>
  endpoint !== null && endpoint.status !== "Disabled";

/** The endpoint of a partner who asks for a delivery, as the registry has it now. */
export async function liveEndpoint(
  directory: Pick<EndpointDirectory, "find" | "forget">,
  partnerId: string,
): Promise<DeliveryEndpoint> {
  directory.forget(partnerId);
  const endpoint = await directory.find(partnerId);
  if (!endpoint) throw new AppError("Webhook.EndpointNotFound", "No webhook is registered.");
  if (!isLive(endpoint))
    throw new AppError("Webhook.EndpointDisabled", "The webhook endpoint is disabled; enable it first.");
  return endpoint;
}

export function createEndpointDirectory({ lookUp, cipher, clock, logger }: Deps) {
  const known = new BoundedMap<string, Known>(MAX_REMEMBERED);
  const asked = new Map<string, Promise<DeliveryEndpoint | null>>();
  const opened = new WeakMap<DeliveryEndpoint, { plain: string; notAfter: number }[]>();

  function ask(partnerId: string): Promise<DeliveryEndpoint | null> {
    const request = lookUp(partnerId)
      .then(
        (endpoint) => {
          // Forgotten meanwhile: this answer may be older than the change.
          if (asked.get(partnerId) === request) remember(partnerId, endpoint);
          return endpoint;
        },
        (err) => lastKnown(partnerId, err),
      )
      .finally(() => {
        if (asked.get(partnerId) === request) asked.delete(partnerId);
      });
    asked.set(partnerId, request);
    return request;
  }

  function remember(partnerId: string, endpoint: DeliveryEndpoint | null): void {
    if (isLive(endpoint)) known.set(partnerId, { endpoint, at: clock.now() });
    else known.delete(partnerId);
  }

  function lastKnown(partnerId: string, err: unknown): DeliveryEndpoint {
    const last = known.get(partnerId);
    if (!last || clock.now() - last.at > USABLE_MS) throw err;
    logger.warn({ err, partnerId }, "endpoint.stale");
    return last.endpoint;
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
    /** A dead or missing endpoint comes only from a lookup after this call. Rejects while the registry cannot answer. */
    async find(partnerId: string): Promise<DeliveryEndpoint | null> {
      const last = known.get(partnerId);
      if (last && clock.now() - last.at < FRESH_MS) return last.endpoint;
      const underWay = asked.get(partnerId);
      const answered = underWay ? await underWay : null;
      if (isLive(answered)) return answered;
      // A question in flight may have been answered before this call; a new question starts after it.
      return asked.get(partnerId) ?? ask(partnerId);
    },
    forget(partnerId: string): void {
      known.delete(partnerId);
      asked.delete(partnerId);
    },
    /** Secrets in force now, newest first. */
    secretsOf(endpoint: DeliveryEndpoint): string[] {
      const now = clock.now();
      const secrets = opened.get(endpoint) ?? open(endpoint);
      return secrets.filter(({ notAfter }) => notAfter > now).map(({ plain }) => plain);
    },
  };
}
