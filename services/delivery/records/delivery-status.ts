export const DELIVERY_STATUSES = ["Pending", "Delivered", "Exhausted"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
