import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../../shared/errors.ts";
import { createGroupAnswerer } from "../../../shared/moleculer/answer-group.ts";
import { fromPlainError, type GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
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
