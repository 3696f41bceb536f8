/** Authlib, PyJWT and standardwebhooks of Python, as a partner installs them. */
import { readFileSync } from "node:fs";
import { expect } from "@jest/globals";
import { testWithTools } from "../../outside/test-with-tools.ts";
import { pythonTools, runPython } from "../../outside/tools.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import { PROFILES } from "../../support/stage/api-stage.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";

testWithTools(pythonTools, "Authlib gets a token, PyJWT verifies it by our keys", async (tools) => {
  const { demo, baseUrl } = await journeyPlatform();
  const [partner] = demo.partners;
  const answer = await runPython(tools, "oauth.py", {
    metadataUrl: `${baseUrl}/.well-known/oauth-authorization-server`,
    apiUrl: baseUrl + PROFILES,
    audience: `${baseUrl}/api`,
    clientId: partner?.clientId,
    privateKey: readFileSync(partner?.privateKeyFile ?? "", "utf8"),
  });
  expect(answer).toEqual({
    scope: "partner.read",
    called: 200,
    issuer: demo.issuer,
    // RFC 8414 requires this list, and Authlib refuses an empty one. The server has no authorization endpoint.
    metadata: ['"response_types_supported" is required'],
    wrongMethods: ["invalid_client", "invalid_client"],
    wrongAudience: "InvalidAudienceError",
    wrongSignature: "InvalidSignatureError",
  });
});

testWithTools(
  pythonTools,
  "standardwebhooks verifies a delivery, its replay and a delivery after a rotation",
  async (tools) => {
    const platform = await journeyPlatform();
    const { owner, receiver, sendTest, deliveredOf } = await webhookOwner(
      platform,
      await newAccounts(platform),
    );
    const first = await owner.post<{ webhookSecret: string }>(WEBHOOKS, { url: receiver.url() });
    const { id } = await deliveredOf(await sendTest());
    await owner.post(`${WEBHOOKS}/deliveries/${id}/replay`);
    await receiver.waitForRequests(2);
    const rotated = await owner.post<{ webhookSecret: string }>(`${WEBHOOKS}/rotate-secret`);
    await sendTest();
    const requests = await receiver.waitForRequests(3);
    await receiver.close();
    const secrets = [first, rotated].map(({ body }) => body.value?.webhookSecret);
    const refusals = ["changed body", "another id", "old timestamp", "another secret"];
    const both = { verified: [true, true], refused: refusals };
    const old = { verified: [true, false], refused: refusals };
    const deliveries = requests.map(({ headers, body }) => ({ headers, body }));
    expect(await runPython(tools, "webhooks.py", { secrets, deliveries })).toEqual([old, old, both]);
  },
);
