/** The gateway in front of scripted services: one stage for all that changes nothing of it. */
import { afterAll } from "@jest/globals";
import { sharedGatewayStage } from "./shared-stage.ts";
import "./parts/routes.ts";
import "./parts/spellings.ts";
import "./parts/addresses.ts";
import "./parts/bodies.ts";
import "./parts/answers.ts";
import "./parts/log.ts";
import "./parts/notifications.ts";

afterAll(async () => (await sharedGatewayStage()).stop());
