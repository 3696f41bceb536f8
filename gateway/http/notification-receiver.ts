/** Webhook endpoint for S3 notifications of uploaded files. Not part of the public API. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { Config } from "../../shared/config/config.ts";
import { AppError } from "../../shared/errors.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { readBody } from "./read-body.ts";
import { sendJson } from "./send-json.ts";

type Serve = (request: EdgeRequest, response: EdgeResponse) => Promise<void>;

export function createNotificationReceiver(
  broker: ServiceBroker,
  { notificationSecret }: Pick<Config, "notificationSecret">,
): Serve {
  const call = callerFor("gateway", broker);
  return async (request, response) => {
    if (notificationSecret === "" || !isEqual(secretIn(request.headers.authorization), notificationSecret))
      throw new AppError(
        "Partner.NotAuthenticated",
        "Only the storage of this installation can send here. Check the secret of its notifications.",
        {
          headers: { "WWW-Authenticate": 'Bearer realm="storage", Basic realm="storage"' },
        },
      );
    const message = await readBody({ body: "json" }, request);
    const { requestId, traceparent } = request.edge;
    const meta = { requestId, traceparent, caller: null };
    sendJson(response, 200, await call("document.takeNotices", { message }, { meta }));
  };
}

/** SNS authenticates only by a password in the address, which it sends as basic authentication. */
function secretIn(authorization = ""): string {
  const [scheme = "", given = ""] = authorization.split(" ", 2);
  if (/^bearer$/i.test(scheme)) return given;
  if (!/^basic$/i.test(scheme)) return "";
  const pair = Buffer.from(given, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const isEqual = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));
