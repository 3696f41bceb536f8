/** Refuses a URL that events must not be sent to, and leaves a trace of an address that is not public. */
import { errorCode } from "../../shared/errors.ts";
import { parseWebhookUrl, resolveDestination } from "../../shared/webhook/webhook-url.ts";
import type { Deps } from "./deps.ts";

/** Answers the URL as it was given. */
export async function checkUrl(
  { destination, logger, metrics }: Pick<Deps, "destination" | "logger" | "metrics">,
  partnerId: string,
  raw: unknown,
): Promise<string> {
  try {
    const url = parseWebhookUrl(raw);
    await resolveDestination(url.hostname, destination);
    return raw as string;
  } catch (error) {
    if (errorCode(error) === "Webhook.UrlNotPublic") {
      metrics.increment("pbo_ssrf_blocked_total", { place: "registration" });
      const reason = error instanceof Error ? error.message : null;
      logger.warn({ partnerId, reason }, "webhook.address_refused");
    }
    throw error;
  }
}
