/** Servers that are gone or hang, under every route and under load, on one platform. */
import { afterAll } from "@jest/globals";
import { outagePlatform } from "../support/stage/shared-platform.ts";
import "./outages/healed-endpoint.ts";
import "./outages/routes.ts";
import "./outages/lost-calls.ts";

afterAll(async () => (await outagePlatform()).stop());
