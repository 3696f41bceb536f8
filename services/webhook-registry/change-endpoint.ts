/** Changes an endpoint by compare-and-set: read, decide, write; again when another change was faster. */
import { AppError, unavailable } from "../../shared/errors.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./endpoint.model.ts";
import type { EndpointChange } from "./endpoint.repository.ts";
import { isLive } from "./endpoint.view.ts";

/** Each lost round means that another change succeeded; this many in a row mean a fault. */
const MAX_ROUNDS = 20;

type ChangeDeps = Pick<Deps, "endpoints" | "clock" | "announceChange">;
export type Decide = (endpoint: Endpoint) => EndpointChange | null;

/** Answers the endpoint before and after; when nothing is to be changed both are the same. */
export async function changeEndpoint(
  { endpoints, clock, announceChange }: ChangeDeps,
  partnerId: string,
  decide: Decide,
): Promise<{ before: Endpoint; after: Endpoint }> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = await endpoints.findByPartner(partnerId);
    if (!before) throw endpointNotFound();
    const change = decide(before);
    if (!change) return { before, after: before };
    const updatedAt = new Date(clock.now());
    const liveSince = isRevived(before, change) ? updatedAt : before.liveSince;
    const after = await endpoints.replaceIfUnchanged(before, { ...change, liveSince, updatedAt });
    if (!after) continue;
    if (isNews(before, after)) announceChange(partnerId);
    return { before, after };
  }
  throw unavailable("The webhook endpoint");
}

const isRevived = (before: Endpoint, change: EndpointChange): boolean =>
  !isLive(before) && isLive({ ...before, ...change });

/** A count of failures is not broadcast: a failing endpoint would empty every cache all day. */
const isNews = (before: Endpoint, after: Endpoint): boolean =>
  before.url !== after.url ||
  before.status !== after.status ||
  isLive(before) !== isLive(after) ||
  before.secrets[0]?.sealed !== after.secrets[0]?.sealed;

export const endpointNotFound = (): AppError =>
  new AppError("Webhook.EndpointNotFound", "No webhook is registered; register a URL first.");
