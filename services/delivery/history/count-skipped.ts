/** What an endpoint missed since it was disabled. */
import type { Skipped } from "../../../shared/contract/actions/delivery.ts";
import type { SkippedRepository } from "./skipped.repository.ts";

export async function countSkipped(
  { skipped }: { skipped: SkippedRepository },
  { partnerId, since }: { partnerId: string; since: string },
): Promise<Skipped> {
  const { count, oldest } = await skipped.since(partnerId, new Date(since));
  return { skipped: count, oldestOccurredAt: oldest?.toISOString() ?? null };
}
