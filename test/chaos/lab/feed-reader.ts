/** Partners that read the feed of events through all faults, each page once and by its cursor. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FeedRead } from "./feed.rules.ts";
import { isWrong, type Ledger } from "./ledger.rules.ts";
import { EVENTS, type Partner, type Partners } from "./partners.ts";

export type FeedReaders = ReturnType<typeof startFeedReaders>;

type Page = { items: { eventId: string }[]; nextCursor: string; hasMore: boolean };

const PAGE_SIZE = 200;
const EVERY_MS = 1_000;

export function startFeedReaders(gateway: () => string, { all }: Partners, ledger: Ledger) {
  let stopped = false;
  const readers = all.map((partner) => ({ partner, followed: [] as string[] }));

  async function pageAfter(partner: Partner, cursor: string | null): Promise<Page | null> {
    const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), ...(cursor ? { cursor } : {}) });
    const answer = await partner.call(gateway(), "GET", `${EVENTS}?${query}`);
    ledger.calls.push({ what: "feed", ...answer });
    if (isWrong(answer)) ledger.wrong.push(`feed ${answer.status} ${answer.code} ${answer.description}`);
    return answer.status === 200 ? answer.value : null;
  }

  async function follow({ partner, followed }: (typeof readers)[number]): Promise<void> {
    let cursor: string | null = null;
    while (!stopped) {
      const page = await pageAfter(partner, cursor);
      followed.push(...(page?.items ?? []).map(({ eventId }) => eventId));
      cursor = page?.nextCursor ?? cursor;
      if (!page?.hasMore) await sleep(EVERY_MS);
    }
  }

  async function readAgain(partner: Partner): Promise<string[]> {
    const read: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      const page: Page | null = await pageAfter(partner, cursor);
      read.push(...(page?.items ?? []).map(({ eventId }) => eventId));
      if (!page?.hasMore) return read;
      cursor = page.nextCursor;
    }
  }

  const following = Promise.all(readers.map(follow));
  return {
    count: () => readers.reduce((sum, { followed }) => sum + followed.length, 0),
    /** Reads each feed from the start, too. */
    look: (): Promise<FeedRead[]> =>
      Promise.all(
        readers.map(async ({ partner, followed }) => ({
          partnerId: partner.partnerId,
          followed: [...followed],
          again: await readAgain(partner),
        })),
      ),
    async close(): Promise<void> {
      stopped = true;
      await following;
    },
  };
}
