/** An endpoint as the dashboard and as the delivery service see it. */
import type { DeliveryEndpoint } from "../../shared/contract/actions/webhook-registry.ts";
import type { EndpointActivity, EndpointView } from "../../shared/contract/answers/endpoint.ts";
import type { Endpoint } from "./endpoint.model.ts";
import { withoutExpired } from "./secret.rules.ts";
import { secretPlace } from "./secret-vault.ts";

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const toView = (
  endpoint: Endpoint | null,
  activity: EndpointActivity | null,
  now: Date,
): EndpointView => ({
  url: endpoint?.url ?? null,
  status: endpoint?.status ?? "NotRegistered",
  consecutiveFailures: endpoint?.consecutiveFailures ?? 0,
  degradedSince: iso(endpoint?.degradedSince ?? null),
  disabledAt: iso(endpoint?.disabledAt ?? null),
  disabledReason: endpoint?.disabledReason ?? null,
  secrets: withoutExpired(endpoint?.secrets ?? [], now).map(({ id, createdAt, notAfter }) => ({
    secretId: id,
    createdAt: createdAt.toISOString(),
    notAfter: iso(notAfter),
  })),
  activity,
});

export const toDeliveryEndpoint = (endpoint: Endpoint): DeliveryEndpoint => ({
  endpointId: endpoint._id,
  partnerId: endpoint.partnerId,
  url: endpoint.url,
  status: isLive(endpoint) ? endpoint.status : "Disabled",
  consecutiveFailures: endpoint.consecutiveFailures,
  disabledAt: iso(endpoint.partnerInactiveSince ?? endpoint.disabledAt),
  liveSince: endpoint.liveSince.toISOString(),
  secrets: endpoint.secrets.map(({ id, sealed, notAfter }) => ({
    sealed,
    place: secretPlace(endpoint._id, id),
    notAfter: iso(notAfter),
  })),
});

export const isLive = ({ status, partnerInactiveSince }: Endpoint): boolean =>
  status !== "Disabled" && !partnerInactiveSince;
