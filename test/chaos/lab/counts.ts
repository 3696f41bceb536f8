/** Numbers of a round: calls, answers, webhooks. */
import { repeatsOf } from "./check-deliveries.rules.ts";
import type { FeedReaders } from "./feed-reader.ts";
import type { Ledger } from "./ledger.rules.ts";
import type { Partners } from "./partners.ts";

export function countsOf(
  { creates, statuses, uploads, windows }: Ledger,
  partners: Partners,
  feed: FeedReaders,
): Record<string, number> {
  const received = partners.received();
  return {
    creates: creates.length,
    created: statuses.get("create 200") ?? 0,
    "of unknown outcome": creates.filter(({ verdict }) => verdict === "unknown").length,
    calls: [...statuses.values()].reduce((sum, count) => sum + count, 0),
    uploads: uploads.filter(({ verdict }) => verdict === "acknowledged").length,
    windows: windows.filter(({ series }) => series !== null).length,
    "webhook requests": received.length,
    "received again": repeatsOf(received).length,
    "events in the feed": feed.count(),
    ...Object.fromEntries([...statuses].filter(([what]) => !what.endsWith(" 200")).toSorted()),
  };
}
