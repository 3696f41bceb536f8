import { expect, test } from "@jest/globals";
import { sendTest } from "../../../services/delivery/intake/send-test.ts";

function sendTestWhile(record: () => Promise<never>): Promise<unknown> {
  const deps = {
    directory: {
      find: async () => ({ endpointId: "e", partnerId: "p", status: "Active" }),
      forget: () => undefined,
    },
    events: { record },
    clock: { now: () => Date.parse("2026-03-01T00:00:00.000Z") },
  } as unknown as Parameters<typeof sendTest>[0];
  const meta = { requestId: "r", traceparent: "", caller: null };
  return sendTest(deps, "p", meta);
}

const away = Object.assign(new Error("away"), { name: "MongoNetworkError" });

test.each([
  ["an error of the write", new Error("document failed validation"), "Webhook.TestFireRejected"],
  ["an unreachable database", away, "Service.OutcomeUnknown"],
])("sendTest: %s refuses the test event", async (_, fault, type) => {
  await expect(sendTestWhile(() => Promise.reject(fault))).rejects.toMatchObject({ type });
});
