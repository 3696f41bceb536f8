/** The processes of the system; the migration runs before them and is on no bus. */
export const SERVICE_NAMES = ["auth-token", "profile", "document", "webhook-registry", "delivery"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
export type ProcessName = ServiceName | "gateway" | "admin" | "migration";
