/** Journeys of partners, their people and analysts over HTTP against one platform of processes. The last parts kill some. */
import { afterAll } from "@jest/globals";
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

afterAll(async () => {
  await (await journeyPlatform()).stop();
  await (await journeyTraces()).close();
});
