/** Partners at work over both gateways, whatever happens to the platform; every answer goes into the ledger. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { aPerson, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { put } from "../../support/clients/partner-client.ts";
import { repetitions } from "../../support/repetitions.ts";
import { type Answer, isWrong, type Ledger, verdictOf } from "./ledger.rules.ts";
import { type CallAnswer, type Partner, type Partners, PROFILES, WEBHOOKS } from "./partners.ts";
import { DISABLED_PARTNER } from "./receiver-faults.ts";

export type Load = {
  /** When creates were answered 200. */
  createdAt: number[];
  stop(): Promise<void>;
};

/** Modest, so that a machine of two cores is busy with the faults and not with the load. */
const BUSY = { workers: 6, pauseMs: 250 };
const CALM = { workers: 1, pauseMs: 700 };
/** Requests are always under way, and the machine is left to the processes that start. */
export const ROLLOUT = { workers: 2, pauseMs: repetitions({ short: 200, nightly: 50 }) };
/** How often each is done out of a hundred; the rest are creates. */
type Shares = Partial<Record<"patch" | "read" | "test" | "replay" | "window" | "upload", number>>;
const ALL_SHARES: Shares = { patch: 15, read: 12, test: 6, replay: 4, window: 1, upload: 3 };
const WINDOW_MS = 5_000;

type Known = { customerId: string; reference: string; partner: Partner; isBusy: boolean };

export function startLoad(
  gateway: () => string,
  partners: Partners,
  ledger: Ledger,
  isCalm: boolean,
  shares: Shares = ALL_SHARES,
  { workers, pauseMs } = isCalm ? CALM : BUSY,
): Load {
  const createdAt: number[] = [];
  const known: Known[] = [];
  const replayed = new Set(ledger.replays.map(({ eventId }) => eventId));
  const [first, second] = [partners.all[0], partners.all[DISABLED_PARTNER]] as [Partner, Partner];
  let stopped = false;

  function note(what: string, answer: Answer): void {
    const told = answer.code ? [answer.code, answer.description.slice(0, 60)] : [];
    const status = [what, answer.status ?? "no answer", ...told].join(" ");
    ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1);
    if (isWrong(answer)) ledger.wrong.push(`${what} ${answer.status} ${answer.code} ${answer.description}`);
  }
  const anyKnown = (): Known | undefined => known[Math.floor(Math.random() * known.length)];

  async function create(): Promise<void> {
    const partner = Math.random() < 0.6 ? first : second;
    // A customer alone has one event, and so one attempt alone in its message.
    const people = isCalm ? 0 : Math.floor(Math.random() * 3);
    const reference = `lab-${randomBytes(8).toString("hex")}`;
    const businessPersonList = Array.from({ length: people }, () => aPerson({ percentageShare: 10 }));
    const body = aSmallProfile({ partnerCustomerId: reference, businessPersonList });
    const answer = await partner.call(gateway(), "POST", PROFILES, body);
    note("create", answer);
    const verdict = verdictOf(answer);
    const customerId = verdict === "acknowledged" ? answer.value.customerId : null;
    const { partnerId } = partner;
    const at = { atMs: Date.now(), status: answer.status };
    ledger.creates.push({ verdict, partnerId, reference, customerId, people, answer: at });
    if (customerId === null) return;
    createdAt.push(Date.now());
    known.push({ customerId, reference, partner, isBusy: false });
  }

  /** A customer has one patch at a time, so that the last one is known. */
  async function patch(): Promise<void> {
    const one = anyKnown();
    if (!one || one.isBusy) return create();
    one.isBusy = true;
    const tradingName = `Trading ${randomBytes(4).toString("hex")}`;
    const answer = await one.partner.call(gateway(), "PATCH", `${PROFILES}/${one.customerId}`, {
      tradingName,
    });
    note("patch", answer);
    ledger.patches.push({ verdict: verdictOf(answer), customerId: one.customerId, tradingName });
    // A change of unknown outcome must not meet the next change.
    one.isBusy = verdictOf(answer) === "unknown";
  }

  async function read(): Promise<void> {
    const one = anyKnown();
    if (!one) return create();
    const answer = await one.partner.call(gateway(), "GET", `${PROFILES}/${one.customerId}`);
    note("read", answer);
    if (answer.status === 200 && answer.value.partnerCustomerId !== one.reference)
      ledger.wrong.push(`read of ${one.customerId} gave another customer`);
  }

  async function test(): Promise<void> {
    const answer = await first.click(gateway(), "POST", `${WEBHOOKS}/test`);
    note("test", answer);
    const eventId = answer.status === 200 ? answer.value.eventId : null;
    ledger.tests.push({ verdict: verdictOf(answer), requestId: answer.requestId, eventId });
  }

  async function replay(): Promise<void> {
    const page = await first.click(gateway(), "GET", `${WEBHOOKS}/deliveries?pageSize=20`);
    note("history", page);
    const items: { id: string; eventId: string }[] = page.value?.items ?? [];
    const original = items.find(({ eventId }) => !replayed.has(eventId));
    if (!original) return;
    const { eventId } = original;
    replayed.add(eventId);
    const answer = await first.click(gateway(), "POST", `${WEBHOOKS}/deliveries/${original.id}/replay`);
    note("replay", answer);
    ledger.replays.push({ verdict: verdictOf(answer), eventId });
  }

  async function window(): Promise<void> {
    const [from, to] = [Date.now() - WINDOW_MS, Date.now()].map((at) => new Date(at).toISOString());
    const answer = await second.click(gateway(), "POST", `${WEBHOOKS}/replay`, { from, to });
    // Its endpoint may be disabled, and says so.
    note("window", answer.code?.startsWith("Webhook.") ? { ...answer, status: 503 } : answer);
  }

  /** The outcome of the upload shows in the events of its customer. */
  async function upload(): Promise<void> {
    const one = anyKnown();
    if (!one) return create();
    const body = { documentCategory: "BankStatement", contentType: "application/pdf" };
    const path = `${PROFILES}/${one.customerId}/documents/upload-link`;
    const answer: CallAnswer = await one.partner.call(gateway(), "POST", path, body);
    note("upload link", answer);
    if (answer.status === 200) await put(answer.value).catch(() => undefined);
  }

  const jobs = { patch, read, test, replay, window, upload };
  const deck = Object.entries(shares).flatMap(([name, share]) =>
    Array.from({ length: share }, () => jobs[name as keyof typeof jobs]),
  );
  async function work(): Promise<void> {
    while (!stopped) {
      await (deck[Math.floor(Math.random() * 100)] ?? create)();
      await sleep(pauseMs);
    }
  }
  const working = Promise.all(Array.from({ length: workers }, work));
  return {
    createdAt,
    async stop() {
      stopped = true;
      await working;
    },
  };
}
