import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../../../shared/errors.ts";
import { NOTICE_SECRET, stageOfPart } from "../shared-stage.ts";

const stage = stageOfPart();

const MESSAGE = { Records: [{ eventName: "ObjectCreated:Put" }] };
const notify = (authorization: string | null, body = JSON.stringify(MESSAGE)) =>
  stage.request("/storage/notices", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(authorization === null ? {} : { Authorization: authorization }),
    },
    body,
  });
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;

describe("the receiver of storage notifications", () => {
  test.each([
    ["a bearer token", `Bearer ${NOTICE_SECRET}`],
    ["a password, as SNS sends it", basic(`storage:${NOTICE_SECRET}`)],
  ])("with the secret as %s: the message is passed to the document service", async (_name, authorization) => {
    stage.script("document.takeNotices", () => ({ documents: 1 }));
    const answer = await notify(authorization);
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
  ])("with %s: 401, and no action runs", async (_name, authorization) => {
    expect((await notify(authorization)).status).toBe(401);
    expect(stage.calls).toEqual([]);
  });

  test("a body that is no JSON, and a message that the service refuses: 400", async () => {
    expect((await notify(`Bearer ${NOTICE_SECRET}`, "{")).status).toBe(400);
    stage.script("document.takeNotices", () => {
      throw new AppError("ValidationControl.Error", "The notice names no document of this installation.");
    });
    expect((await notify(`Bearer ${NOTICE_SECRET}`)).status).toBe(400);
  });
});
