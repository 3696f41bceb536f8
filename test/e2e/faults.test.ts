/** Servers that are killed, gone or hang, at rest and under calls, on one platform. */
import { afterAll } from "@jest/globals";
import { faultPlatform } from "../support/stage/shared-platform.ts";
import "./outages/healed-endpoint.ts";
import "./kills/processes.ts";
import "./outages/documents.ts";
import "./outages/routes.ts";
import "./outages/lost-calls.ts";

afterAll(async () => (await faultPlatform()).stop());
