/** Partners who create business after business, through a balancer that asks each gateway whether it is ready. */
import { aSmallProfile } from "../builders/profile-builders.ts";

export type Gateway = { httpUrl: string; opsUrl: string };
const PROBE_MS = 100;
/** Requests are always under way, and the machine is left to those that start. */
const PAUSE_MS = 20;
const ANSWER_WITHIN_MS = 30_000;

/** As the endpoints of a Service: only those that are ready get new requests. */
export function startBalancer(gateways: () => readonly Gateway[]) {
  let ready: string[] = [];
  let stopped = false;
  let turn = 0;
  async function probe(): Promise<void> {
    const answers = await Promise.all(
      gateways().map(async ({ httpUrl, opsUrl }) => {
        const response = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
          () => null,
        );
        await response?.body?.cancel();
        return response?.status === 200 ? httpUrl : null;
      }),
    );
    ready = answers.filter((url) => url !== null);
  }
  const probing = (async () => {
    while (!stopped) {
      await probe();
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
    }
  })();
  return {
    next(): string | undefined {
      turn += 1;
      return ready[turn % Math.max(1, ready.length)];
    },
    stop(): Promise<void> {
      stopped = true;
      return probing;
    },
  };
}

export function startLoad(gateways: () => readonly Gateway[], token: () => string, workers: number) {
  const created: string[] = [];
  const failures: string[] = [];
  const balancer = startBalancer(gateways);
  let stopped = false;

  async function work(): Promise<void> {
    while (!stopped) {
      const url = balancer.next();
      if (url) await create(url);
      await new Promise((resolve) => setTimeout(resolve, url ? PAUSE_MS : PROBE_MS));
    }
  }

  async function create(url: string): Promise<void> {
    const body = aSmallProfile();
    try {
      const response = await fetch(`${url}/api/partner/v1/business-profiles`, {
        method: "POST",
        headers: { authorization: `Bearer ${token()}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const text = await response.text();
      if (response.status === 200) created.push(JSON.parse(text).value.customerId);
      else failures.push(`${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      failures.push(`${message}: ${cause?.message ?? ""}`);
    }
  }

  const working = Promise.all(Array.from({ length: workers }, work));
  return {
    created,
    failures,
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all([working, balancer.stop()]);
    },
  };
}
