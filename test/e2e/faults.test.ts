/** kill -9, under calls and at rest; then servers that are gone or hang, under every route and under load: on one platform. */
import { afterAll } from "@jest/globals";
import { faultPlatform } from "../support/stage/shared-platform.ts";
import "./kills/creates.ts";
import "./kills/documents.ts";
import "./kills/erasure.ts";
import "./kills/field-keys.ts";
import "./kills/idempotency.ts";
import "./kills/replays.ts";
import "./kills/sandbox.ts";
import "./kills/tokens.ts";
import "./kills/processes.ts";
import "./outages/healed-endpoint.ts";
import "./outages/routes.ts";
import "./outages/lost-calls.ts";

afterAll(async () => (await faultPlatform()).stop(), 60_000);
