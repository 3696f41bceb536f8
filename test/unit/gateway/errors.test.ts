import { describe, expect, test } from "@jest/globals";
import type { EdgeRequest, EdgeResponse } from "../../../gateway/http/edge-request.ts";
import { sendError } from "../../../gateway/http/errors.ts";
import type { Route } from "../../../gateway/route.ts";
import { AppError, unavailable } from "../../../shared/errors.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";

type Sent = {
  status: number;
  headers: Record<string, unknown>;
  body: string | undefined;
  destroyed: boolean;
};

/** The answer of sendError to a failure of a request to this path and row. */
function answerTo(failure: unknown, { path = "/api/x", row = null, headersSent = false } = {} as Wish) {
  const sent: Sent = { status: 0, headers: {}, body: undefined, destroyed: false };
  const response = {
    headersSent,
    setHeader(name: string, value: unknown) {
      sent.headers[name] = value;
    },
    writeHead(status: number, headers: object) {
      sent.status = status;
      Object.assign(sent.headers, headers);
    },
    end(body?: string) {
      sent.body = body;
    },
    destroy() {
      sent.destroyed = true;
    },
  } as unknown as EdgeResponse;
  const request = {
    url: path,
    method: "GET",
    edge: { requestId: "r1", row },
    headers: {},
  } as unknown as EdgeRequest;
  const logger = createLogger({ logLevel: "silent", process: "gateway" });
  sendError(
    { logger, baseUrl: "https://onboarding.example", envelopeNear: () => "partner" },
    request,
    response,
    failure,
  );
  return { ...sent, json: sent.body === undefined ? undefined : JSON.parse(sent.body) };
}
type Wish = {
  path?: string;
  row?: Partial<Route> | null;
  headersSent?: boolean;
};

describe("sendError", () => {
  test("for an OAuth row: error and error_description, nothing else", () => {
    const row = { envelope: "plain" } as const;
    expect(answerTo(new AppError("Request.MediaTypeUnsupported", "x"), { row }).json).toEqual({
      error: "invalid_request",
      error_description: "x",
    });
    expect(answerTo(unavailable("x"), { row }).json).toMatchObject({ error: "temporarily_unavailable" });
    expect(answerTo(new AppError("Request.RateLimited", "x"), { row }).json).toMatchObject({
      error: "temporarily_unavailable",
    });
    expect(answerTo(new Error("canary"), { row }).json).toMatchObject({ error: "temporarily_unavailable" });
  });

  test("a row with its own code for a service that is away: that code, and Retry-After", () => {
    const row = {
      method: "POST",
      envelope: "dashboard",
      unavailableCode: "Webhook.DispatcherUnavailable",
      action: "delivery.sendTest",
    } as const;
    const read = answerTo(unavailable("x"), { row: { ...row, method: "GET" } });
    expect(JSON.stringify(read.json)).not.toContain("changed");
    const { status, json, headers } = answerTo(unavailable("x"), { row });
    expect(status).toBe(503);
    expect(json).toMatchObject({ error: { code: "Webhook.DispatcherUnavailable" } });
    expect(JSON.stringify(json)).toContain("Nothing was changed");
    expect(headers["Retry-After"]).toBe("1");
    expect(answerTo(new AppError("Webhook.DeliveryNotFound", "x"), { row }).json).toMatchObject({
      error: { code: "Webhook.DeliveryNotFound" },
    });
  });

  test("nothing at all thrown: 500 all the same", () => {
    expect(answerTo(undefined)).toMatchObject({ status: 500 });
    expect(answerTo(null)).toMatchObject({ status: 500 });
  });

  test("an answer that is already under way: cut off, because it cannot be made right", () => {
    expect(answerTo(new Error("x"), { headersSent: true })).toMatchObject({ destroyed: true, status: 0 });
  });

  test("a length in bytes, not in characters", () => {
    const { headers, body } = answerTo(new AppError("Validation", "é€"));
    expect(headers["Content-Length"]).toBe(Buffer.byteLength(body ?? ""));
  });
});
