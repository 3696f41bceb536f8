/** The stage that the parts of gateway.test.ts share. */
import { lazily } from "../../../shared/lazily.ts";
import { startGatewayStage } from "../../support/stage/gateway-stage.ts";

export const NOTICE_SECRET = "0123456789abcdef0123456789abcdef";
export const sharedGatewayStage = lazily(() =>
  startGatewayStage({ PBO_STORAGE_NOTICE_SECRET: NOTICE_SECRET }),
);
