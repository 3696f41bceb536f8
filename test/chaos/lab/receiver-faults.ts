/** Receivers that fail: each way as an answer, and one that is gone until a person registers it again. */
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Receiver } from "../../support/servers/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Fault, FaultKind } from "./faults.rules.ts";
import { type Partners, WEBHOOKS } from "./partners.ts";
import { type LabStage, RECEIVER_NAME } from "./stage.ts";

type Scripted = Parameters<Receiver["answer"]>[0];

const SLOW_MS = 1_500;
const DRIP_MS = 100;
const HUGE_CHUNKS = 80;

export const BAD_ANSWERS: Partial<Record<FaultKind, Scripted>> = {
  "receiver-500": 500,
  "receiver-429": { status: 429, headers: { "Retry-After": "2" } },
  "receiver-hang": () => undefined,
  "receiver-reset": (_, response) => void response.socket?.destroy(),
  "receiver-slow": async (_, response) => {
    await sleep(SLOW_MS);
    response.writeHead(200).end();
  },
  "receiver-drip": (_, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    const dripping = setInterval(() => response.write("."), DRIP_MS).unref();
    response.on("close", () => clearInterval(dripping));
  },
  "receiver-huge": (_, response) => {
    Readable.from(Array(HUGE_CHUNKS).fill(Buffer.alloc(65_536, "x"))).pipe(response);
  },
  // Followed, it would be a request without a good signature.
  "receiver-redirect": ({ headers }, response) =>
    void response.writeHead(302, { Location: `https://${headers.host}/elsewhere` }).end(),
  "receiver-half": (_, response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("half");
    setTimeout(() => response.destroy(), 100).unref();
  },
};

export async function withExpiredCertificate(stage: LabStage, { receiver }: Partners, forMs: number) {
  const { cert, key } = stage.demo.tls;
  receiver.present(stage.expired);
  await sleep(forMs);
  receiver.present({ cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") });
}

/** Connections that exist need no name. */
export async function withoutNames(
  { dns }: LabStage,
  { receiver }: Partners,
  { target, forMs }: Pick<Fault, "target" | "forMs">,
) {
  dns.set(RECEIVER_NAME, target === "silent" ? "silent" : "SERVFAIL");
  receiver.disconnect();
  await sleep(forMs);
  dns.set(RECEIVER_NAME, ["127.0.0.1"]);
}

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
