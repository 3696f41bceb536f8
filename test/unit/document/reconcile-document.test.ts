import { expect, test } from "@jest/globals";
import { type ReconcileDeps, reconcileDocument } from "../../../services/document/reconcile-document.ts";

const record = {
  _id: "d",
  partnerId: "p",
  objectKey: "uploads/d",
  confirmedKey: "confirmed/d",
  status: "Pending",
};

/** Storage that holds nothing, and what was asked of it. */
function aDesk() {
  const asked: string[] = [];
  const storage = new Proxy(
    {},
    {
      get: (_, method) => async (key: string) => {
        asked.push(`${String(method)} ${key}`);
        return null;
      },
    },
  );
  const repository = { find: async () => record, nextLinkAt: async () => null };
  const deps = { storage, repository, clock: { now: () => 0 } } as unknown as ReconcileDeps;
  return {
    asked,
    reconcile: (objectKey: string) =>
      reconcileDocument(deps, { documentId: "d", partnerId: "p" }, { objectKey } as never),
  };
}

test("a notice of another key settles nothing: storage is not even asked", async () => {
  const { asked, reconcile } = aDesk();
  expect(await reconcile("uploads/of another")).toBeNull();
  expect(asked).toEqual([]);
});

test.each([record.objectKey, record.confirmedKey])("a notice of %s is looked at", async (key) => {
  const { asked, reconcile } = aDesk();
  await reconcile(key).catch(() => undefined);
  expect(asked.length).toBeGreaterThan(0);
});
