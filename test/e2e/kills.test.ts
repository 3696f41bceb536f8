/** Processes and servers ended by kill -9, at rest and under calls, on one platform. */
import { afterAll } from "@jest/globals";
import { killedPlatform } from "../support/stage/shared-platform.ts";
import "./kills/creates.ts";
import "./kills/documents.ts";
import "./kills/erasure.ts";
import "./kills/field-keys.ts";
import "./kills/idempotency.ts";
import "./kills/replays.ts";
import "./kills/sandbox.ts";
import "./kills/tokens.ts";
import "./kills/processes.ts";

afterAll(async () => (await killedPlatform()).stop());
