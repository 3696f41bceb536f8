/** A request is a single trace from HTTP through action, outbox and stream to the webhook. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { partnerClient } from "../../support/clients/partner-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import type { CollectedSpan } from "../../support/servers/otlp-collector.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { journeyPlatform, journeyTraces } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

let demo: DemoData;
let collector: Awaited<ReturnType<typeof journeyTraces>>;
let receiver: Receiver;

beforeAll(async () => {
  collector = await journeyTraces();
  const platform = await journeyPlatform();
  demo = await newAccounts(platform);
  const { register, ...owner } = await webhookOwner(platform, demo);
  ({ receiver } = owner);
  await register();
});
afterAll(() => receiver?.close());

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER_SPAN = "00f067aa0ba902b7";

test("create, event and attempt are spans of the trace that the partner began", async () => {
  const partner = await partnerClient(demo);
  const answer = await partner.send("POST", "/api/partner/v1/business-profiles", aProfile(), {
    traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`,
  });
  expect(answer.status).toBe(200);
  const spans = () => collector.spans.filter(({ traceId }) => traceId === TRACE_ID);
  const created = (span: CollectedSpan) => span.name.endsWith("business.profile.created");
  await waitFor(() => spans().filter(created).length === 3, "the spans of the event");
  const find = (name: string): CollectedSpan => {
    const found = spans().filter((span) => span.name === name);
    if (found.length !== 1)
      throw new Error(`${found.length} spans are ${name}: ${spans().map((span) => span.name)}`);
    return found[0] as CollectedSpan;
  };
  await waitFor(() => find("POST /api/partner/v1/business-profiles"), "the span of the request");

  const request = find("POST /api/partner/v1/business-profiles");
  const action = find("profile.create");
  const published = find("publish business.profile.created");
  const recorded = find("record business.profile.created");
  const attempted = find("webhook business.profile.created");
  expect([request, action, published, recorded, attempted].map(({ service }) => service)).toEqual([
    "gateway",
    "profile",
    "profile",
    "delivery",
    "delivery",
  ]);
  expect(request.parentSpanId).toBe(CALLER_SPAN);
  expect(action.parentSpanId).toBe(request.spanId);
  expect(published.parentSpanId).toBe(action.spanId);
  expect(recorded.parentSpanId).toBe(published.spanId);
  expect(attempted.parentSpanId).toBe(published.spanId);
  expect(attempted.attributes).toMatchObject({ "pbo.attempt": 1, "http.response.status_code": 200 });
  expect(attempted.startMs).toBeGreaterThanOrEqual(Math.floor(request.startMs));

  const eventId = attempted.attributes["pbo.event_id"];
  expect(published.attributes["messaging.message.id"]).toBe(eventId);
  expect(receiver.requests.map(({ body }) => JSON.parse(body).eventId)).toContain(eventId);
});

test("spans hold no name, address or document number of the business", () => {
  const text = JSON.stringify(collector.spans);
  for (const secret of ["Harbour", "amina", "Okafor", "A01234567", "+234"])
    expect(text).not.toContain(secret);
});
