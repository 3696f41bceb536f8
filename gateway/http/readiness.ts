/** Readiness of the whole system: the gateway itself and every service with what it needs. */
import type { ServiceBroker } from "moleculer";
import { SERVICE_NAMES, type ServiceName } from "../../shared/config/config.ts";
import type { Health, Readiness } from "../../shared/health.ts";
import { shareAnswers } from "./share-answers.ts";

const SERVICE_DEADLINE_MS = 2_000;
const FOUND_WITHIN_MS = 10_000;

export function createSystemReadiness(broker: ServiceBroker, health: Health): () => Promise<Readiness> {
  // Any caller may ask, and a question costs a call to every service and a ping of its database.
  const askServices = shareAnswers(() =>
    Promise.all(SERVICE_NAMES.map((name) => serviceChecks(broker, name))),
  );
  return async () => {
    // Not cached: the gateway's own state is cheap to read, and its stop must show immediately.
    const [own, services] = await Promise.all([health.readiness(), askServices()]);
    const checks = Object.assign({}, own.checks, ...services) as Record<string, string>;
    return { ready: Object.values(checks).every((state) => state === "ok"), checks };
  };
}

/**
 * A gateway that has just started may not have found a service yet, and would answer 503. A service that stays absent
 * must not block the others for long.
 */
export function servicesFound({ registry }: ServiceBroker): () => void {
  const missing = new Set<string>(SERVICE_NAMES);
  const until = performance.now() + FOUND_WITHIN_MS;
  return () => {
    for (const name of missing) if (registry.hasService(name, undefined as never)) missing.delete(name);
    if (missing.size > 0 && performance.now() < until)
      throw new Error(`not found yet: ${[...missing].join(", ")}`);
  };
}

async function serviceChecks(broker: ServiceBroker, name: ServiceName): Promise<Record<string, string>> {
  try {
    const readiness = await broker.call<Readiness, object>(
      `${name}.ready`,
      {},
      { timeout: SERVICE_DEADLINE_MS },
    );
    const missing = Object.entries(readiness.checks).filter(([, state]) => state !== "ok");
    if (missing.length === 0) return { [name]: "ok" };
    return Object.fromEntries(missing.map(([check, state]) => [`${name}.${check}`, state]));
  } catch {
    return { [name]: "unavailable" };
  }
}
