/** Journeys of partners, their people and analysts over HTTP against one platform of processes. The last parts kill some. */
import { afterAll, expect } from "@jest/globals";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import { testWithTools } from "../outside/test-with-tools.ts";
import { pythonTools, runPython } from "../outside/tools.ts";
import { journeyPlatform, journeyRecorder, journeyTraces } from "../support/stage/shared-platform.ts";
import "./journeys/partners-apart.ts";
import "./journeys/documents.ts";
import "./journeys/delivery-away.ts";
import "./journeys/disabled-endpoint.ts";
import "./journeys/erased-texts.ts";
import "./journeys/guides.ts";
import "./journeys/python-libraries.ts";
import "./journeys/receiver-kit.ts";
import "./journeys/trace.ts";
import "./kills/documents.ts";
import "./kills/erasure.ts";
import "./kills/sandbox.ts";
import "./kills/attempts.ts";
import "./kills/replays.ts";
import "./kills/field-keys.ts";
import "./kills/idempotency.ts";
import "./kills/tokens.ts";

afterAll(async () => {
  await (await journeyPlatform()).stop();
  await (await journeyTraces()).close();
  await (await journeyRecorder()).close();
});

/** A run of all parts makes several times as many. */
const LEAST_JUDGED = 200;

testWithTools(
  pythonTools,
  "openapi-core finds each exchange of the journeys in the API documents",
  async (tools) => {
    const { baseUrl } = await journeyPlatform();
    const documents = (["partner", "dashboard"] as const).map((audience) =>
      openApiDocument(audience, baseUrl),
    );
    const { exchanges } = await journeyRecorder();
    const { judged, found } = await runPython<{ judged: number; found: object }>(tools, "judge.py", {
      documents,
      exchanges,
    });
    expect(found).toEqual({});
    expect(judged).toBeGreaterThan(LEAST_JUDGED);
  },
);
