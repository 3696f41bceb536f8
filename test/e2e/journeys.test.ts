/** What partners, their people and analysts do, over HTTP against one platform of real processes; at last some are killed. */
import { afterAll } from "@jest/globals";
import { isNightly } from "../support/repetitions.ts";
import { journeyPlatform, journeyTraces } from "../support/stage/shared-platform.ts";
import "./journeys/partners-apart.ts";
import "./journeys/documents.ts";
import "./journeys/delivery-away.ts";
import "./journeys/disabled-endpoint.ts";
import "./journeys/erased-texts.ts";
import "./journeys/guides.ts";
import "./journeys/receiver-kit.ts";
import "./journeys/trace.ts";
import "./kills/idempotency.ts";
import "./kills/tokens.ts";

// Asked in every run as well: of each service in one process, of each route in integration/gateway, by role in browser/.
if (isNightly) {
  await import("./journeys/profile-routes.ts");
  await import("./journeys/endpoint-routes.ts");
  await import("./journeys/delivery-routes.ts");
}

afterAll(async () => {
  await (await journeyPlatform()).stop();
  await (await journeyTraces()).close();
});
