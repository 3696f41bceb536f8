/** Tells the services that act for a partner by themselves whether it is active; a sweep repeats what was not heard. */
import type { PartnerStanding } from "../../../shared/contract/actions/auth-token.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { type Partner, TOLD_SERVICES, type ToldService } from "./partner.model.ts";
import type { PartnerRepository } from "./partner.repository.ts";

/** At once, so that a round ends soon whoever hangs. */
const PER_ROUND = 20;

export type TellStanding = Record<ToldService, (standing: PartnerStanding) => Promise<unknown>>;

type Deps = {
  partners: Pick<PartnerRepository, "findUntold" | "markTold">;
  tell: TellStanding;
  logger: Logger;
};

/** Does not fail when a service is away: the partner stays marked, and the next round tells it. */
export async function tellStanding({ partners, tell, logger }: Deps, partner: Partner): Promise<void> {
  const { _id: partnerId, active } = partner;
  const changedAt = partner.standingChangedAt ?? partner.deactivatedAt ?? partner.createdAt;
  const services = partner.untold ?? TOLD_SERVICES;
  await Promise.all(
    services.map(async (service) => {
      try {
        await tell[service]({ partnerId, active, changedAt: changedAt.toISOString() });
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
