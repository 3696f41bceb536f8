import { expect, test } from "@jest/globals";
import type { Context, Middleware } from "moleculer";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { admitCall } from "../../../shared/moleculer/admit-call.ts";

type Handler = (ctx: Context<unknown, CallMeta>) => Promise<unknown>;

/** A call of another process, as an action sees it. */
function metaSeen(from: string, meta: Partial<CallMeta>): Promise<unknown> {
  const { localAction } = admitCall({
    column: () => true,
    access: () => ({ anyone: true }),
    read: () => null,
  }) as Middleware & {
    localAction(next: Handler, action: { name: string }): Handler;
  };
  const action = localAction(async (ctx) => ctx.meta, { name: "auth-token.listAudit" });
  return action({
    nodeID: from,
    broker: { nodeID: "auth-token.1" },
    params: {},
    meta,
  } as unknown as Context<unknown, CallMeta>);
}

test("the operator's name is believed of the admin process only", async () => {
  expect(await metaSeen("admin.1", { operator: "ann" })).toEqual({ operator: "ann", caller: null });
  for (const from of ["gateway.1", "delivery.2", "profile.1"])
    expect(await metaSeen(from, { operator: "ann" })).toEqual({ caller: null });
});

test("a caller that comes as it is, or with a statement that cannot be read, is not believed", async () => {
  const caller = { kind: "analyst", userId: "u", email: "u@operator.test" } as const;
  expect(await metaSeen("gateway.1", { caller })).toEqual({ caller: null });
  await expect(metaSeen("gateway.1", { statement: "no" })).rejects.toMatchObject({ type: "Service.Error" });
});
