/**
 * Middleware before every action: a call of another process is let in only if the action's column names the process,
 * its caller is believed only as the gateway signed it, and the action must admit that caller (action-access.rules.ts).
 */
import type { Context, Middleware } from "moleculer";
import type { Admitted } from "../contract/actions/action.ts";
import { mayCall } from "../contract/actions.ts";
import { AppError } from "../errors.ts";
import type { Caller, CallMeta } from "../identity/caller.ts";
import type { ReadStatement } from "../identity/caller-statement.ts";
import { accessOf, accessRefusal } from "./action-access.rules.ts";
import { isGroup } from "./group-outcome.ts";
import { processOf } from "./subjects.rules.ts";

type Handler = (ctx: Context<unknown, CallMeta>) => Promise<unknown>;
type Checks = {
  /** May be switched off by the test that shows what each is for. */
  column?: (process: string, action: string) => boolean;
  access?: (action: string) => Admitted;
  read: ReadStatement;
};

export function admitCall({ column = mayCall, access = accessOf, read }: Checks): Middleware {
  function callerIn(meta: CallMeta, from: string): Caller | null {
    if (meta.statement === undefined) return null;
    const caller = read(meta.statement);
    if (!caller) throw refusal(`the statement that ${from} sent about its caller is not the gateway's`);
    return caller;
  }

  return {
    name: "AdmitCall",
    localAction(next: Handler, { name: action }: { name: string }): Handler {
      const admitted = access(action);
      /** Other processes and the operator call with no caller, by their column. */
      function checkCaller(from: string, caller: Caller | null): void {
        const refused = processOf(from) === "gateway" ? accessRefusal(admitted, caller) : null;
        if (refused) throw refused;
      }
      return async (ctx) => {
        const from = ctx.nodeID ?? "";
        if (from === ctx.broker.nodeID) return next(ctx);
        if (!column(processOf(from), action)) throw refusal(`${from} may not call ${action}`);
        // The statement is for this service; calls that the action makes do not carry it on.
        const { statement: _, operator, ...meta } = ctx.meta;
        const admittedMeta = { ...meta, caller: callerIn(ctx.meta, from) };
        ctx.meta =
          operator !== undefined && processOf(from) === "admin"
            ? { ...admittedMeta, operator }
            : admittedMeta;
        if (isGroup(action, ctx.params))
          for (const { meta } of ctx.params.requests) {
            meta.caller = callerIn(meta, from);
            checkCaller(from, meta.caller);
          }
        else checkCaller(from, admittedMeta.caller);
        return next(ctx);
      };
    },
  } as Middleware;
}

/** Only a process of ours can cause it, so the reason is in the log and not in the answer. */
const refusal = (reason: string): AppError =>
  new AppError("Service.Error", "This call is not allowed.", { cause: new Error(reason) });
