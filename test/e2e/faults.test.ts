/** Processes ended by kill -9, servers that are killed, gone or hang, at rest and under calls, on one platform. */
import { afterAll } from "@jest/globals";
import { faultPlatform } from "../support/stage/shared-platform.ts";
import "./outages/healed-endpoint.ts";
import "./kills/documents.ts";
import "./kills/erasure.ts";
import "./kills/replays.ts";
import "./kills/creates.ts";
import "./kills/processes.ts";
import "./kills/field-keys.ts";
import "./kills/sandbox.ts";
import "./outages/routes.ts";
import "./outages/lost-calls.ts";

afterAll(async () => (await faultPlatform()).stop());
