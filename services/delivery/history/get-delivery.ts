/** A delivery with its attempts and its body. The receiver's answers are shown as long as the body. */
import type { Clock } from "../../../shared/clock.ts";
import type { DeliveryDetail } from "../../../shared/contract/answers/delivery.ts";
import { AppError } from "../../../shared/errors.ts";
import { isUuid } from "../../../shared/ids.ts";
import type { Excerpts } from "../excerpt/excerpts.ts";
import type { DeliveryRecord } from "../records/delivery.model.ts";
import type { EventRepository } from "../records/event.repository.ts";
import { isExpired } from "../records/retention.rules.ts";
import { toDetail } from "./delivery.view.ts";
import type { HistoryRepository } from "./history.repository.ts";

type Deps = {
  history: Pick<HistoryRepository, "find">;
  events: Pick<EventRepository, "find">;
  excerpts: Pick<Excerpts, "open">;
  clock: Clock;
};

export async function getDelivery(
  deps: Deps,
  partnerId: string,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const delivery = await findDelivery(deps, partnerId, deliveryId);
  if (isExpired(delivery.occurredAt, deps.clock.now())) return toDetail(delivery, null, []);
  const [event, excerpts] = await Promise.all([
    deps.events.find(partnerId, delivery.eventId),
    deps.excerpts.open(delivery._id, delivery.attempts),
  ]);
  return toDetail(delivery, event?.envelopeJson ?? null, excerpts);
}

/** A delivery of another partner is no different from one that does not exist. */
export async function findDelivery(
  { history }: Pick<Deps, "history">,
  partnerId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  const delivery = isUuid(deliveryId) ? await history.find(partnerId, deliveryId.toLowerCase()) : null;
  if (!delivery) throw new AppError("Webhook.DeliveryNotFound", "There is no such delivery.");
  return delivery;
}
