/** Each service refuses, by itself, a caller that its action does not admit, whatever the gateway's route table says. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import authTokenService from "../../../services/auth-token/auth-token.service.ts";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import documentService from "../../../services/document/document.service.ts";
import profileService from "../../../services/profile/profile.service.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import type { Caller } from "../../../shared/identity/caller.ts";
import { ADMITTED, callersRefusedBy } from "../../support/builders/refused-callers.ts";
import { createTestBucket } from "../../support/servers/servers.ts";
import { openStage } from "../../support/stage/stage.ts";

const REFUSALS = /^Partner\.(NotAuthenticated|InsufficientRole|InsufficientScope)$/;
const on = openStage();
let edge: ServiceBroker;

beforeAll(async () => {
  await createTestBucket(on.namespace);
  [edge] = await Promise.all([
    on.start("gateway", []),
    on.start("auth-token", [authTokenService]),
    on.start("profile", [profileService]),
    on.start("document", [documentService]),
    on.start("webhook-registry", [registryService]),
    on.start("delivery", [deliveryService]),
  ]);
  await on.untilMet();
});
afterAll(() => on.stop());

const http = { params: {}, query: {}, body: {}, headers: { ifMatch: null, idempotencyKey: null } };
const metaOf = (caller: Caller | null) => ({
  requestId: "r",
  traceparent: "",
  ...(caller ? { caller } : {}),
});

async function outcome(action: string, params: object, meta: object): Promise<string> {
  try {
    return `answered ${JSON.stringify(await edge.call(action, params, { meta }))}`;
  } catch (error) {
    return String((error as { type?: string }).type);
  }
}

const rows = ADMITTED.filter(([, row]) => !row.anyone);

test.each(rows)(
  "%s: refuses every caller that it does not admit, alone and in a group",
  async (action, row) => {
    const refused = callersRefusedBy(row);
    expect(refused.length).toBeGreaterThan(2);
    for (const caller of refused) {
      expect([caller, await outcome(action, http, metaOf(caller))]).toEqual([
        caller,
        expect.stringMatching(REFUSALS),
      ]);
      const group = { requests: [{ params: http, meta: metaOf(caller) }] };
      expect([caller, await outcome(action, group, {})]).toEqual([caller, expect.stringMatching(REFUSALS)]);
    }
  },
);

test("an admitted caller gets past the check", async () => {
  const person = {
    kind: "user",
    userId: "u",
    email: "u@partner.test",
    role: "Viewer",
    partnerId: "p",
  } as const;
  expect(await outcome("webhook-registry.get", http, metaOf(person))).toContain("NotRegistered");
});
