import type { WebhookEvent } from "./event.ts";

/** Compiles only where the type of an event narrows by its eventType. */
export function classOf(event: WebhookEvent): string {
  switch (event.eventType) {
    case "business.profile.created":
      return Array.isArray(event.data.ubos) ? "BusinessProfileCreatedEvent" : "";
    case "business.profile.updated":
      return Array.isArray(event.data.removedUboIds) ? "BusinessProfileUpdatedEvent" : "";
    case "business.person.added":
      return Array.isArray(event.data.ownershipType) ? "BusinessPersonAddedEvent" : "";
    case "business.person.updated":
      return Array.isArray(event.data.changedFields) ? "BusinessPersonUpdatedEvent" : "";
    case "business.document.confirmed":
      return event.data.sizeBytes > 0 ? "BusinessDocumentConfirmedEvent" : "";
    default:
      return event.eventType;
  }
}

export const business = (email: string) => ({
  partnerCustomerId: `generated-typescript-${performance.timeOrigin + performance.now()}`,
  email,
  companyName: "Generated",
  businessTypeCode: "LLC",
  incorporationCountryIso3Code: "NGA",
  industry: "CustomerRevenue" as const,
  website: "https://generated.example",
  registrationNumber: "RC1",
});

export const env = (
  globalThis as unknown as { process: { env: Record<"BASE_URL" | "TOKEN" | "CURSOR", string> } }
).process.env;
