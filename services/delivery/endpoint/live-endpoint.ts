/** The endpoint a person wants something sent to, as the registry knows it this moment. */
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import { AppError } from "../../../shared/errors.ts";
import { type EndpointDirectory, isLive } from "./endpoint-directory.ts";

export async function liveEndpoint(
  directory: Pick<EndpointDirectory, "find" | "forget">,
  partnerId: string,
): Promise<DeliveryEndpoint> {
  directory.forget(partnerId);
  const endpoint = await directory.find(partnerId);
  if (!endpoint) throw new AppError("Webhook.EndpointNotFound", "No webhook is registered.");
  if (!isLive(endpoint))
    throw new AppError("Webhook.EndpointDisabled", "The webhook endpoint is disabled; enable it first.");
  return endpoint;
}
