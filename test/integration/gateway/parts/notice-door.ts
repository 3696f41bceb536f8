/** Where storage tells that a file has come. */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { AppError } from "../../../../shared/errors.ts";
import type { GatewayStage } from "../../../support/stage/gateway-stage.ts";
import { NOTICE_SECRET, sharedGatewayStage } from "../shared-stage.ts";

let stage: GatewayStage;
beforeAll(async () => {
  stage = await sharedGatewayStage();
});
beforeEach(() => stage.reset());

const MESSAGE = { Records: [{ eventName: "ObjectCreated:Put" }] };
const knock = (authorization: string | null, body = JSON.stringify(MESSAGE)) =>
  stage.request("/storage/notices", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(authorization === null ? {} : { Authorization: authorization }),
    },
    body,
  });
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

describe("the door for storage's notices", () => {
  test.each([
    ["a bearer token", `Bearer ${NOTICE_SECRET}`],
    ["a password, as SNS sends it", basic(`storage:${NOTICE_SECRET}`)],
  ])("with the secret as %s: the message is handed on", async (_name, authorization) => {
    stage.script("document.takeNotices", () => ({ documents: 1 }));
    const answer = await knock(authorization);
    expect([answer.status, answer.body]).toEqual([200, { documents: 1 }]);
    expect(stage.calls.map(({ action, params }) => [action, params])).toEqual([
      ["document.takeNotices", { message: MESSAGE }],
    ]);
  });

  test.each([
    ["nothing", null],
    ["another secret", `Bearer ${NOTICE_SECRET}x`],
    ["no secret", "Bearer "],
    ["another password", basic(`storage:${NOTICE_SECRET.slice(1)}`)],
    ["the secret as a name", basic(`${NOTICE_SECRET}:`)],
    ["another scheme", `Digest ${NOTICE_SECRET}`],
  ])("with %s: 401, and nobody is asked", async (_name, authorization) => {
    expect((await knock(authorization)).status).toBe(401);
    expect(stage.calls).toEqual([]);
  });

  test("what is no JSON, and what the service refuses: 400", async () => {
    expect((await knock(`Bearer ${NOTICE_SECRET}`, "{")).status).toBe(400);
    stage.script("document.takeNotices", () => {
      throw new AppError("ValidationControl.Error", "The notice names no document of this installation.");
    });
    expect((await knock(`Bearer ${NOTICE_SECRET}`)).status).toBe(400);
  });
});
