/** Partners at work over both gateways, whatever happens to the platform; every answer goes into the ledger. */
import { setTimeout as sleep } from "node:timers/promises";
import { repetitions } from "../../support/repetitions.ts";
import type { Ledger } from "./ledger.rules.ts";
import { customerWork } from "./load-customers.ts";
import { deliveryWork } from "./load-deliveries.ts";
import type { Partners } from "./partners.ts";

export type Load = {
  /** When creates were answered 200. */
  createdAt: number[];
  /** Creates a customer next to the workers, whose calls may all hang. */
  probe(): void;
  stop(): Promise<void>;
};

/** Modest, so that a machine of two cores is busy with the faults and not with the load. */
const BUSY = { workers: 6, pauseMs: 250 };
const CALM = { workers: 1, pauseMs: 700 };
/** Requests are always under way, and the machine is left to the processes that start. */
export const ROLLOUT = { workers: 2, pauseMs: repetitions({ short: 200, nightly: 50 }) };
type Work = Omit<ReturnType<typeof customerWork> & ReturnType<typeof deliveryWork>, "createdAt" | "create">;
/** How often each is done out of a hundred; the rest are creates. */
type Shares = Partial<Record<keyof Work, number>>;
const ALL_SHARES: Shares = {
  ...{ patch: 10, compete: 4, correct: 5, read: 10, keyed: 4, simulate: 3, upload: 4 },
  ...{ test: 6, replay: 4, window: 2 },
};

export function startLoad(
  gateway: () => string,
  partners: Partners,
  ledger: Ledger,
  isCalm: boolean,
  shares: Shares = ALL_SHARES,
  { workers, pauseMs } = isCalm ? CALM : BUSY,
): Load {
  const { createdAt, create, ...ofCustomers } = customerWork(gateway, partners, ledger, isCalm);
  const jobs: Work = { ...ofCustomers, ...deliveryWork(gateway, partners, ledger) };
  const deck = Object.entries(shares).flatMap(([name, share]) =>
    Array.from({ length: share }, () => jobs[name as keyof Work]),
  );
  let stopped = false;
  async function work(): Promise<void> {
    while (!stopped) {
      await (deck[Math.floor(Math.random() * 100)] ?? create)();
      await sleep(pauseMs);
    }
  }
  const working: Promise<unknown>[] = Array.from({ length: workers }, work);
  return {
    createdAt,
    probe: () => void working.push(create()),
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}
