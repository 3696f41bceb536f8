/** Nothing is sent to the endpoint of a partner that is inactive. */
import type { PartnerStanding } from "../../shared/contract/actions/auth-token.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import type { Deps } from "./deps.ts";

export async function setPartnerStanding(deps: Deps, standing: PartnerStanding): Promise<null> {
  await deps.standings.keep(standing);
  if (await deps.endpoints.findByPartner(standing.partnerId)) await applyStanding(deps, standing.partnerId);
  return null;
}

/** Called when the standing changed and when the endpoint was made: whichever comes last finds the other. */
export async function applyStanding(deps: Deps, partnerId: string): Promise<void> {
  const inactiveSince = await deps.standings.inactiveSince(partnerId);
  const { before, after } = await changeEndpoint(deps, partnerId, ({ partnerInactiveSince }) =>
    partnerInactiveSince?.getTime() === inactiveSince?.getTime()
      ? null
      : { partnerInactiveSince: inactiveSince },
  );
  if (before !== after)
    deps.logger.info(
      { partnerId, endpointId: after._id, active: inactiveSince === null },
      "endpoint.partner_standing_changed",
    );
}
