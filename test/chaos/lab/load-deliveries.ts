/** Tests and replays of webhooks. */
import { type Ledger, note } from "./ledger.rules.ts";
import { type Partner, type Partners, WEBHOOKS } from "./partners.ts";
import { DISABLED_PARTNER } from "./receiver-faults.ts";

/** Ends so long ago that its events are recorded where nothing is broken. */
const WINDOW_MS = 5_000;
const WINDOW_AGO_MS = 4_000;
/** Its endpoint may be disabled; and a partner has one window at a time. */
const EXPECTED = ["Webhook.EndpointDisabled", "Webhook.ReplayUnderway"];

export function deliveryWork(gateway: () => string, { all }: Partners, ledger: Ledger) {
  const replayed = new Set(ledger.replays.map(({ eventId }) => eventId));
  const [first, second] = [all[0], all[DISABLED_PARTNER]] as [Partner, Partner];

  async function test(): Promise<void> {
    const answer = await first.click(gateway(), "POST", `${WEBHOOKS}/test`);
    const verdict = note(ledger, "test", answer);
    const eventId = answer.status === 200 ? answer.value.eventId : null;
    ledger.tests.push({ verdict, requestId: answer.requestId, eventId });
  }

  async function replay(): Promise<void> {
    const page = await first.click(gateway(), "GET", `${WEBHOOKS}/deliveries?pageSize=20`);
    note(ledger, "history", page);
    const items: { id: string; eventId: string }[] = page.value?.items ?? [];
    const original = items.find(({ eventId }) => !replayed.has(eventId));
    if (!original) return;
    const { eventId } = original;
    replayed.add(eventId);
    const answer = await first.click(gateway(), "POST", `${WEBHOOKS}/deliveries/${original.id}/replay`);
    const verdict = note(ledger, "replay", answer);
    ledger.replays.push({ verdict, eventId, deliveryId: answer.value?.deliveryId ?? null });
  }

  async function window(): Promise<void> {
    const askedAtMs = Date.now();
    const [fromMs, toMs] = [askedAtMs - WINDOW_AGO_MS - WINDOW_MS, askedAtMs - WINDOW_AGO_MS];
    const body = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    const answer = await second.click(gateway(), "POST", `${WEBHOOKS}/replay`, body);
    const verdict = note(ledger, "window", answer, EXPECTED);
    const { replaySeries: series = null, created: expected = 0 } = answer.value ?? {};
    const { partnerId } = second;
    ledger.windows.push({ verdict, partnerId, series, expected, fromMs, toMs, askedAtMs });
  }

  return { test, replay, window };
}
