/** Receivers that fail: each way as an answer, and one that is gone until a person registers it again. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Receiver } from "../../support/servers/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { FaultKind } from "./faults.rules.ts";
import { type Partners, WEBHOOKS } from "./partners.ts";
import type { LabStage } from "./stage.ts";

type Scripted = Parameters<Receiver["answer"]>[0];

const SLOW_MS = 1_500;

export const BAD_ANSWERS: Partial<Record<FaultKind, Scripted>> = {
  "receiver-500": 500,
  "receiver-429": { status: 429, headers: { "Retry-After": "2" } },
  "receiver-hang": () => undefined,
  "receiver-reset": (_, response) => void response.socket?.destroy(),
  "receiver-slow": async (_, response) => {
    await sleep(SLOW_MS);
    response.writeHead(200).end();
  },
  "receiver-half": (_, response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("half");
    setTimeout(() => response.destroy(), 100).unref();
  },
};

/** Only the second partner's endpoint is ever disabled. */
export const DISABLED_PARTNER = 1;
const REGISTERED_WITHIN_MS = 20_000;

/** Disabled by two answers of 410, registered again by a person; the answer is when that was answered 200. */
export async function disableAndRegister(
  stage: LabStage,
  { receiver, all }: Partners,
  forMs: number,
): Promise<number> {
  const path = `/hook/${DISABLED_PARTNER}`;
  receiver.answer((request, response) => void response.writeHead(request.path === path ? 410 : 200).end());
  await sleep(forMs);
  receiver.answer(200);
  const gateways = [...stage.gateways];
  const isRegistered = async () => {
    gateways.push(gateways.shift() as string);
    const body = { url: receiver.url(path) };
    return (await all[DISABLED_PARTNER]?.click(gateways[0] ?? "", "POST", WEBHOOKS, body))?.status === 200;
  };
  const what = "an endpoint to be registered again";
  await waitFor(isRegistered, { what, everyMs: 200, timeoutMs: REGISTERED_WITHIN_MS });
  return Date.now();
}
