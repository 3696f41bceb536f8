import { expect, test } from "@jest/globals";
import { sendTest } from "../../../services/delivery/intake/send-test.ts";
import { AppError } from "../../../shared/errors.ts";

function sendTestWhile(recordInTime: () => Promise<never>): Promise<unknown> {
  const deps = {
    directory: {
      find: async () => ({ endpointId: "e", partnerId: "p", status: "Active" }),
      forget: () => undefined,
    },
    events: { recordInTime },
    clock: { now: () => Date.parse("2026-03-01T00:00:00.000Z") },
  } as unknown as Parameters<typeof sendTest>[0];
  const meta = { requestId: "r", traceparent: "", caller: null };
  return sendTest(deps, "p", meta);
}

test.each([
  ["an error of the write", new Error("document failed validation"), "Webhook.TestFireRejected"],
  ["an unknown outcome", new AppError("Service.OutcomeUnknown", "unknown"), "Service.OutcomeUnknown"],
])("sendTest: %s refuses the test event", async (_, fault, type) => {
  await expect(sendTestWhile(() => Promise.reject(fault))).rejects.toMatchObject({ type });
});

test("sendTest: an unreachable database is reported as such", async () => {
  const away = Object.assign(new Error("away"), { name: "MongoNetworkError" });
  await expect(sendTestWhile(() => Promise.reject(away))).rejects.toBe(away);
});
