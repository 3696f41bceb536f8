/** Reports to the services that act for a partner on their own whether it is active; a sweep repeats failed reports. */
import type { Deps } from "../deps.ts";
import type { Partner } from "./partner.model.ts";

/** Reported in parallel, so that one hanging service does not delay the round. */
const PER_ROUND = 20;

/** Does not fail when a service is away: the partner stays marked and the next round repeats the report. */
export async function reportStanding({ partners, report, logger }: Deps, partner: Partner): Promise<void> {
  const { _id: partnerId, active, standingChangedAt = partner.createdAt, unreportedTo = [] } = partner;
  const changedAt = standingChangedAt.toISOString();
  await Promise.all(
    unreportedTo.map(async (service) => {
      try {
        await report[service]({ partnerId, active, changedAt });
        await partners.markReported(partner, service);
      } catch (err) {
        logger.warn({ err, partnerId, service }, "partner.standing_not_reported");
      }
    }),
  );
}

export async function reportStandings(deps: Deps): Promise<void> {
  const some = await deps.partners.findUnreported(PER_ROUND);
  await Promise.all(some.map((partner) => reportStanding(deps, partner)));
}
