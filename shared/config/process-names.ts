/** The processes of the system. */
export const SERVICE_NAMES = ["auth-token", "profile", "document", "webhook-registry", "delivery"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
export type ProcessName = ServiceName | "gateway" | "admin";
