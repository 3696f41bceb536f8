/** An assertion buys one token: in parallel, at a second replica, after a restart. */
import { expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { GroupedAnswer } from "../../../shared/moleculer/grouped-call.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());

function statusesOf(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** A replica prefers its own actions, so these are its own answers. */
async function askReplica(replica: ServiceBroker, body: string, times: number): Promise<number[]> {
  const params = { body, params: {}, query: {}, headers: { ifMatch: null } };
  const request = { params, meta: { requestId: "replica", traceparent: "", caller: null } };
  const call = { requests: Array(times).fill(request) };
  const { answers } = (await replica.call("auth-token.issueTokens", call)) as { answers: GroupedAnswer[] };
  return answers.map(({ status }) => status);
}

test("50 equal requests at once: one token, 49 refusals", async () => {
  const form = tokenForm(stage.assertion(partner));
  const answers = await Promise.all(Array.from({ length: 50 }, () => stage.tokenRequest(form)));
  expect(statusesOf(answers)).toEqual({ 200: 1, 401: 49 });
});

test("50 different requests at once: 50 different tokens", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => stage.tokenRequest(tokenForm(stage.assertion(partner)))),
  );
  expect(statusesOf(answers)).toEqual({ 200: 50 });
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(50);
});

test("an assertion used at one replica: refused by a second replica, and after a restart", async () => {
  const used = tokenForm(stage.assertion(partner));
  expect((await stage.tokenRequest(used)).status).toBe(200);

  const second = await stage.startAuthToken();
  expect(await askReplica(second, used.toString(), 1)).toEqual([401]);

  await stage.stopBroker(stage.authToken);
  const what = "the gateway to find the other replica";
  const answer = await waitFor(async () => {
    const tried = await stage.tokenRequest(used);
    return tried.status !== 503 && tried;
  }, what);
  expect(answer.status).toBe(401);
  expect((await stage.tokenRequest(tokenForm(stage.assertion(partner)))).status).toBe(200);
});

test("two replicas and 40 equal requests to each: one token", async () => {
  const [one, two] = [await stage.startAuthToken(), await stage.startAuthToken()];
  const body = tokenForm(stage.assertion(partner)).toString();
  const statuses = (await Promise.all([one, two].map((replica) => askReplica(replica, body, 40)))).flat();
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 401)).toHaveLength(79);
});

test("the record of a used assertion outlives its exp plus the skew, also of one that lives for an hour", async () => {
  const inAnHour = Math.floor(stage.clock.now() / 1_000) + 3_600;
  const assertion = stage.assertion(partner, { claims: { exp: inAnHour } });
  const { exp, jti } = JSON.parse(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString());
  await stage.tokenRequest(tokenForm(assertion));
  const record = await stage
    .database()
    .collection("used_assertions")
    .findOne({ _id: `${partner.clientId} ${jti}` as never });
  expect(record?.expiresAt.getTime()).toBeGreaterThanOrEqual((exp + 30) * 1_000);
});
