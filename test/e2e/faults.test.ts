/** Processes ended by kill -9, servers that are killed, gone or hang, at rest and under calls, on one platform. */
import { afterAll } from "@jest/globals";
import { isNightly } from "../support/repetitions.ts";
import { faultPlatform } from "../support/stage/shared-platform.ts";
import "./outages/healed-endpoint.ts";
import "./kills/documents.ts";
import "./kills/erasure.ts";
import "./kills/idempotency.ts";
import "./kills/replays.ts";
import "./kills/tokens.ts";
import "./outages/routes.ts";
import "./outages/lost-calls.ts";

// Every start of a process is a second of work. The short form of the laboratory kills processes and mongod under creates
// and compares every answer with what is stored; what the others restart into is tested on real servers in one process.
if (isNightly) {
  await import("./kills/creates.ts");
  await import("./kills/processes.ts");
  await import("./kills/field-keys.ts");
  await import("./kills/sandbox.ts");
}

afterAll(async () => (await faultPlatform()).stop());
