import { describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { AppError, outcomeUnknown, unavailable } from "../../../shared/errors.ts";
import { actionEdge } from "../../../shared/moleculer/action-edge.ts";
import { createGroupAnswerer } from "../../../shared/moleculer/answer-group.ts";
import { callGroup, isGroup, resultOfGroup } from "../../../shared/moleculer/group-outcome.ts";
import {
  fromPlainError,
  type GroupedAnswer,
  type GroupedRequest,
  type GroupedRequests,
} from "../../../shared/moleculer/grouped-call.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import type { Span } from "../../../shared/telemetry/trace.ts";
import { noTracer } from "../../../shared/telemetry/tracer.ts";

const request = (body: unknown): GroupedRequest => ({
  params: { params: {}, query: {}, body, headers: { ifMatch: null } },
  meta: { requestId: `r-${body}`, traceparent: "00-a-b-01", caller: null },
});

function setUp(tracer = noTracer) {
  const logged: object[] = [];
  const logger = { error: (fields: object) => void logged.push(fields) } as unknown as Logger;
  const answer = createGroupAnswerer({ logger, tracer }, "a.make", async ({ body }) => {
    if (body === "refused")
      throw new AppError("Customer.NotFound", "none", { details: [{ field: "x", code: "y", message: "z" }] });
    if (body === "away") throw unavailable("The database");
    if (body === "open") throw outcomeUnknown();
    if (body === "broken") throw new TypeError("secret words of a driver");
    return { made: body };
  });
  return { answer, logged };
}

describe("a group of requests", () => {
  test("each gets its own answer, in order, whatever happens to the others", async () => {
    const { answer, logged } = setUp();
    const { answers } = await answer(["one", "refused", "broken", "two"].map(request));
    expect(answers.map(({ status, body, error }) => [status, body, error?.type])).toEqual([
      [200, { made: "one" }, undefined],
      [404, null, "Customer.NotFound"],
      [500, null, "Service.Error"],
      [200, { made: "two" }, undefined],
    ]);
    expect(JSON.stringify(answers)).not.toContain("secret");
    expect(logged).toMatchObject([{ requestId: "r-broken", action: "a.make", code: "Service.Error" }]);
  });

  test("a refusal keeps its details on the way", async () => {
    const { answers } = await setUp().answer([request("refused")]);
    const error = fromPlainError(JSON.parse(JSON.stringify(answers[0]?.error)));
    expect(error).toMatchObject({
      type: "Customer.NotFound",
      code: 404,
      message: "none",
      data: { details: [{ field: "x" }] },
    });
  });

  test("each has its own span below its own request", async () => {
    const spans: Span[] = [];
    const tracer = {
      ...noTracer,
      enabled: true,
      below: (parent: string) => `${parent}-below`,
      record: (span: Span) => void spans.push(span),
    };
    await setUp(tracer).answer([request("one"), request("refused")]);
    expect(spans).toMatchObject([
      { name: "a.make", traceparent: "00-a-b-01-below", parent: "00-a-b-01" },
      { error: "Customer.NotFound" },
    ]);
  });
});

describe("a group in which every request fails by a fault of ours", () => {
  test.each([
    [["away", "away"], "Service.Unavailable"],
    [["away", "open"], "Service.OutcomeUnknown"],
    [["away", "open", "broken"], "Service.Error"],
  ])("%p: fails as a call, and each request still gets its own answer", async (bodies, type) => {
    const { answer } = setUp();
    const requests = bodies.map(request);
    const failure = await answer(requests).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ type, code: type === "Service.Error" ? 500 : 503 });
    const broker = { call: () => Promise.reject(failure) };
    const answers = await callGroup(broker, "a.make", requests);
    const types = { away: "Service.Unavailable", open: "Service.OutcomeUnknown", broken: "Service.Error" };
    expect(answers.map(({ error }) => error?.type)).toEqual(bodies.map((body) => types[body as "away"]));
  });

  test.each([[["away", "one"]], [["away", "refused"]], [[]]])("%p: does not", async (bodies) => {
    const { answers } = await setUp().answer(bodies.map(request));
    expect(answers).toHaveLength(bodies.length);
  });

  test("any other failure of the call is passed on", async () => {
    const failure = new AppError("Service.Unavailable", "gone");
    const broker = { call: () => Promise.reject(failure) };
    await expect(callGroup(broker, "a.make", [request("one")])).rejects.toBe(failure);
  });
});

describe("the result of a group", () => {
  const answered = (status: number, type?: string): GroupedAnswer => ({
    ...{ status, headers: {}, body: null },
    ...(type ? { error: { type, code: status, message: "", data: {} } as never } : {}),
  });
  const [ok, refused] = [answered(200), answered(404, "Customer.NotFound")];
  const [away, open] = [answered(503, "Service.Unavailable"), answered(503, "Service.OutcomeUnknown")];
  test.each([
    ["nothing", [], "ok"],
    ["yes", [ok, ok], "ok"],
    ["a refusal", [ok, refused, ok], "Customer.NotFound"],
    ["a refusal of the token endpoint", [ok, answered(401)], "refused"],
    ["a failure", [refused, away, ok], "Service.Unavailable"],
    ["a failure that leaves open what was done", [away, open, away], "Service.OutcomeUnknown"],
    ["a fault of the code", [open, answered(500, "Service.Error")], "Service.Error"],
    ["a failure of the token endpoint", [ok, answered(503)], "Service.Unavailable"],
    ["a fault of the token endpoint", [answered(503), answered(500)], "Service.Error"],
  ])("%s: is its worst answer", (_, answers, result) => {
    expect(resultOfGroup(answers)).toBe(result);
  });
});

test.each([
  ["all of them unavailable", ["away", "away"], "Service.Unavailable"],
  ["one unavailable among others", ["one", "away", "refused"], "Service.Unavailable"],
  ["all of them made", ["one", "two"], "ok"],
])("the metric of a grouped action, %s: has the result of the group", async (_, bodies, result) => {
  const metrics = createMetrics("profile");
  const logger = { error: () => undefined } as unknown as Logger;
  const broker = new ServiceBroker({
    logger: false,
    middlewares: [actionEdge({ metrics, logger, tracer: noTracer })],
  });
  const { answer } = setUp();
  const create = ({ params }: { params: GroupedRequests }) => answer(params.requests);
  broker.createService({ name: "profile", actions: { create } });
  await broker.start();
  await callGroup(broker, "profile.create", bodies.map(request));
  await broker.stop();
  const counts = (await metrics.text()).match(/^pbo_action_duration_seconds_count\{.*\} \d+$/gm);
  expect(counts).toEqual([expect.stringMatching(`action="profile.create",result="${result}".*} 1$`)]);
});

test("a request is a group by its action, whatever fields it has", () => {
  const requests = { requests: [request("one")] };
  expect(isGroup("profile.create", requests)).toBe(true);
  expect(isGroup("profile.patch", requests)).toBe(false);
  expect(isGroup("profile.create", { requests: "one" })).toBe(false);
});
