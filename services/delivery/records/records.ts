/** The stored events and deliveries, as the other folders use them. */
import type { DeliveryRepository } from "./delivery.repository.ts";
import type { EventRepository } from "./event.repository.ts";

export type Records = { events: EventRepository; deliveries: DeliveryRepository };
