/** The stage that the parts of gateway.test.ts share. */
import { once } from "../../support/once.ts";
import { startGatewayStage } from "../../support/stage/gateway-stage.ts";

export const sharedGatewayStage = once(() => startGatewayStage());
