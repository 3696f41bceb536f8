/** What partners, their people and analysts do, over HTTP against one platform of real processes; at last some are killed. */
import { afterAll } from "@jest/globals";
import { journeyPlatform, journeyTraces } from "../support/stage/shared-platform.ts";
import "./journeys/partners-apart.ts";
import "./journeys/profile-routes.ts";
import "./journeys/documents.ts";
import "./journeys/endpoint-routes.ts";
import "./journeys/delivery-routes.ts";
import "./journeys/delivery-away.ts";
import "./journeys/disabled-endpoint.ts";
import "./journeys/guides.ts";
import "./journeys/receiver-kit.ts";
import "./journeys/trace.ts";
import "./kills/idempotency.ts";
import "./kills/tokens.ts";

afterAll(async () => {
  await (await journeyPlatform()).stop();
  await (await journeyTraces()).close();
});
