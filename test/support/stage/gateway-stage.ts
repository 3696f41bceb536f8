/**
 * The real gateway and the real auth-token service, with scripted services behind them on another node: every
 * action of the table answers what the test says, or tells what it was given. All calls go over real NATS.
 */
import { ServiceBroker } from "moleculer";
import { ROUTES } from "../../../gateway/routes.ts";
import { ACTIONS, type ActionName } from "../../../shared/actions.ts";
import { loadConfig, type ServiceName } from "../../../shared/config/config.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { createGroupAnswerer } from "../../../shared/moleculer/answer-group.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import type { GroupedRequest } from "../../../shared/moleculer/grouped-call.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";
import { type Runtime, runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { aTestNamespace, testServerSettings } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";
import { startAuthStage } from "./auth-stage.ts";

export type ScriptedCall = {
  action: ActionName;
  params: HttpParams;
  meta: CallMeta & Record<string, unknown>;
};
export type Script = (call: ScriptedCall) => unknown;
export type GatewayStage = Awaited<ReturnType<typeof startGatewayStage>>;

const SCRIPTED: ServiceName[] = ["profile", "document", "webhook-registry", "delivery"];
const MANY = "100000000";

export async function startGatewayStage(settings: Record<string, string> = {}) {
  const namespace = aTestNamespace();
  const unlimited = {
    PBO_LIMIT_READS: MANY,
    PBO_LIMIT_WRITES: MANY,
    PBO_LIMIT_TOKENS: MANY,
    PBO_LIMIT_TOKENS_PER_ADDRESS: MANY,
    PBO_LIMIT_LOGINS_PER_ADDRESS: MANY,
    PBO_LIMIT_FAILURES_PER_ADDRESS: MANY,
  };
  const scripts = new Map<ActionName, Script>();
  const calls: ScriptedCall[] = [];
  const log: string[] = [];
  const behind = await startScripted(namespace, log, (call) => {
    calls.push(call);
    return scripts.get(call.action)?.(call) ?? { action: call.action };
  });
  const auth = await startAuthStage(
    { PBO_NAMESPACE: namespace, ...unlimited, ...settings },
    { profileProbe: false },
  );
  await auth.gateway.broker.waitForServices(SCRIPTED, 10_000);
  await behind.waitForServices(["api", "auth-token"], 10_000);
  const lines = () => [...auth.log, ...log].flatMap((chunk) => chunk.trimEnd().split("\n")).map(parseLine);

  return {
    ...auth,
    namespace,
    calls,
    behind,
    /** What an action does from now on; without a script it answers its own name. */
    script: (action: ActionName, script: Script) => void scripts.set(action, script),
    reset() {
      scripts.clear();
      calls.length = 0;
    },
    /** All that the gateway and the services wrote. */
    lines,
    /** The log line of a request, which is written after its answer. */
    lineOf: (requestId: string) =>
      waitFor(() => lines().find((line) => line.requestId === requestId && line.msg === "request.finished"), {
        what: `the log line of ${requestId}`,
      }),
    async stop() {
      await behind.stop();
      await auth.stop();
    },
  };
}

const parseLine = (line: string) => JSON.parse(line) as Record<string, unknown>;

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

async function startScripted(namespace: string, log: string[], answer: Script): Promise<ServiceBroker> {
  const config = loadConfig("profile", {
    ...testServerSettings(namespace),
    PBO_FIELD_KEYS: `test:${Buffer.alloc(32).toString("base64")}`,
  });
  const collect = { write: (line: string) => void log.push(line) };
  const broker = new ServiceBroker(brokerOptions(config, { logger: createLogger(config, collect) }));
  for (const name of SCRIPTED)
    broker.createService({
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
  await broker.start();
  return broker;
}
