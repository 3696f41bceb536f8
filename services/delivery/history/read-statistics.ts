/** How many deliveries there were in each hour or day, by what became of them. */
import type { Clock } from "../../../shared/clock.ts";
import type { Statistics } from "../../../shared/contract/answers/delivery.ts";
import type { Query } from "../../../shared/input/query-reader.ts";
import { shownSince } from "../records/retention.rules.ts";
import type { StatisticsRepository } from "./statistics.repository.ts";
import { parseStatisticsQuery, sumByInterval } from "./statistics.rules.ts";

type Deps = { counts: StatisticsRepository; clock: Clock };

export async function readStatistics(
  { counts, clock }: Deps,
  partnerId: string,
  query: Query,
): Promise<Statistics> {
  const range = parseStatisticsQuery(query, clock.now());
  const { interval, from, before } = range;
  const since = shownSince(clock.now());
  // As the history: what is about to expire is not counted.
  const counted = await counts.count(partnerId, { ...range, from: from > since ? from : since });
  const items = sumByInterval(range, counted);
  return { interval, from: from.toISOString(), to: new Date(before.getTime() - 1).toISOString(), items };
}
