/** Reports to the services that act for a partner on their own whether it is active; a sweep repeats failed reports. */
import type { PartnerStanding } from "../../../shared/contract/actions/auth-token.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Partner, ToldService } from "./partner.model.ts";
import type { PartnerRepository } from "./partner.repository.ts";

/** Reported in parallel, so that one hanging service does not delay the round. */
const PER_ROUND = 20;

export type TellStanding = Record<ToldService, (standing: PartnerStanding) => Promise<unknown>>;

type Deps = {
  partners: Pick<PartnerRepository, "findUntold" | "markTold">;
  tell: TellStanding;
  logger: Logger;
};

/** Does not fail when a service is away: the partner stays marked and the next round repeats the report. */
export async function tellStanding({ partners, tell, logger }: Deps, partner: Partner): Promise<void> {
  const { _id: partnerId, active, standingChangedAt = partner.createdAt, untold = [] } = partner;
  const changedAt = standingChangedAt.toISOString();
  await Promise.all(
    untold.map(async (service) => {
      try {
        await tell[service]({ partnerId, active, changedAt });
        await partners.markTold(partner, service);
      } catch (err) {
        logger.warn({ err, partnerId, service }, "partner.standing_not_told");
      }
    }),
  );
}

export async function tellStandings(deps: Deps): Promise<void> {
  const some = await deps.partners.findUntold(PER_ROUND);
  await Promise.all(some.map((partner) => tellStanding(deps, partner)));
}
