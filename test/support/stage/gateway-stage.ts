/**
 * The real gateway and the real auth-token service, with scripted services behind them on another node: every
 * action of the table answers what the test says, or tells what it was given. All calls go over real NATS.
 */
import type { ServiceBroker } from "moleculer";
import { ROUTES } from "../../../gateway/routes.ts";
import type { ServiceName } from "../../../shared/config/config.ts";
import { ACTIONS, type ActionName } from "../../../shared/contract/actions.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { createGroupAnswerer } from "../../../shared/moleculer/answer-group.ts";
import type { GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";
import { type Runtime, runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { waitFor } from "../wait-for.ts";
import { startAuthStage } from "./auth-stage.ts";
import { openStage, type Settings, type Stage } from "./stage.ts";

type ScriptedCall = {
  action: ActionName;
  params: HttpParams;
  meta: CallMeta & Record<string, unknown>;
};
export type Script = (call: ScriptedCall) => unknown;

const SCRIPTED = ["profile", "document", "webhook-registry", "delivery"] as const;
type ScriptedName = (typeof SCRIPTED)[number];

export async function startGatewayStage(settings: Settings = {}) {
  const scripts = new Map<ActionName, Script>();
  const calls: ScriptedCall[] = [];
  const on = openStage(settings);
  const [behind, auth] = await Promise.all([
    startScripted(on, (call) => {
      calls.push(call);
      return scripts.get(call.action)?.(call) ?? { action: call.action };
    }),
    startAuthStage(settings, { on, profileProbe: false }),
  ]);
  await on.untilMet();
  const lines = on.logLines;

  return {
    ...auth,
    calls,
    behind,
    /** The action's answer from now on; without a script it answers its own name. */
    script: (action: ActionName, script: Script) => void scripts.set(action, script),
    reset() {
      scripts.clear();
      calls.length = 0;
    },
    lines,
    /** The log line of a request, which is written after its answer. */
    lineOf: (requestId: string) =>
      waitFor(() => lines().find((line) => line.requestId === requestId && line.msg === "request.finished"), {
        what: `the log line of ${requestId}`,
      }),
  };
}

const isGrouped = (action: ActionName): boolean =>
  ROUTES.some((route) => route.action === action && route.grouped);

/** Answers in the form in which the gateway asks: alone, or for requests that travelled together. */
function scriptedHandler(runtime: Runtime, action: ActionName, answer: Script) {
  const one = async (params: HttpParams, meta: CallMeta) =>
    action.endsWith(".ready")
      ? { ready: true, checks: {} }
      : answer({ action, params, meta: meta as ScriptedCall["meta"] });
  const group = createGroupAnswerer(runtime, action, one);
  return (ctx: { params: unknown; meta: CallMeta }) =>
    isGrouped(action)
      ? group((ctx.params as { requests: GroupedRequest[] }).requests)
      : one(ctx.params as HttpParams, ctx.meta);
}

/** Each on a node of its own, as in production. */
async function startScripted(on: Stage, answer: Script): Promise<Record<ScriptedName, ServiceBroker>> {
  const start = async (name: ScriptedName) =>
    [name, await on.start(name, [(broker) => scriptedService(broker, name, answer)])] as const;
  return Object.fromEntries(await Promise.all(SCRIPTED.map(start))) as Record<ScriptedName, ServiceBroker>;
}

const scriptedService = (broker: ServiceBroker, name: ServiceName, answer: Script) => ({
  name,
  actions: Object.fromEntries(
    Object.keys(ACTIONS[name]).map((action) => [
      action,
      {
        visibility: "published" as const,
        handler: scriptedHandler(runtimeOf(broker), `${name}.${action}` as ActionName, answer),
      },
    ]),
  ),
});
