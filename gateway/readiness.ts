/** Readiness of the whole system as the gateway sees it: its own connection and every service with what it needs. */
import type { ServiceBroker } from "moleculer";
import { SERVICE_NAMES, type ServiceName } from "../shared/config.ts";
import type { Health, Readiness } from "../shared/health.ts";

const SERVICE_DEADLINE_MS = 2_000;

export async function systemReadiness(broker: ServiceBroker, health: Health): Promise<Readiness> {
  const [own, ...services] = await Promise.all([
    health.readiness(),
    ...SERVICE_NAMES.map((name) => serviceChecks(broker, name)),
  ]);
  const checks = Object.assign({}, own.checks, ...services) as Record<string, string>;
  return { ready: Object.values(checks).every((state) => state === "ok"), checks };
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
