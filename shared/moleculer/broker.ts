/** Broker options of every process, also used by tests. */
import { hostname } from "node:os";
import { type BrokerOptions, Errors, type ServiceBroker } from "moleculer";
import type { Config } from "../config/config.ts";
import { createStatementReader, createStatementSigner } from "../identity/caller-statement.ts";
import { natsOptions } from "../jetstream/nats-options.ts";
import { stopOnSignals, watchStart } from "../process/lifecycle.ts";
import { startOpsServer } from "../telemetry/ops-server.ts";
import { VERSION } from "../version.ts";
import { actionEdge } from "./action-edge.ts";
import { admitCall } from "./admit-call.ts";
import { BoundTransporter } from "./bound-transporter.ts";
import type { NatsTransporter } from "./nats-transporter.ts";
import { NotSent } from "./pending-calls.ts";
import { repeatCall } from "./repeat-call.ts";
import { attachRuntime, createRuntime, type Runtime, type RuntimeOverrides } from "./runtime.ts";

/** A dead node is removed after the timeout; a call sent to it before that ends at its own deadline. */
const HEARTBEAT_SECONDS = 1;
const HEARTBEAT_TIMEOUT_SECONDS = 4;
const REGISTRY_STOP_DELAY_MS = 300;

type Options = RuntimeOverrides & { ownsProcess?: boolean };

export function brokerOptions(config: Config, options: Options = {}): BrokerOptions {
  const runtime = createRuntime(config, options);
  const { clock } = runtime;
  const { gatewayPrivateKey: key, gatewayPublicKeys: keys } = config;
  const sign = config.process === "gateway" && key ? createStatementSigner({ key, clock }) : undefined;
  const read = createStatementReader({ keys, service: config.process, clock });
  const transporter = new BoundTransporter(natsOptions(config, "rpc"), { sign });
  return {
    namespace: config.namespace,
    nodeID: `${config.process}.${hostname()}.${process.pid}.${Math.random().toString(36).slice(2, 8)}`,
    logger: {
      type: "Pino",
      options: {
        level: frameworkLevel(config.logLevel),
        createLogger: (level: string, bindings: object) => runtime.logger.child({ ...bindings }, { level }),
      },
    },
    transporter: transporter as unknown as NonNullable<BrokerOptions["transporter"]>,
    requestTimeout: config.requestTimeoutMs,
    retryPolicy: { enabled: false },
    maxCallLevel: 10,
    heartbeatInterval: HEARTBEAT_SECONDS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_SECONDS,
    contextParamsCloning: false,
    tracking: { enabled: true, shutdownTimeout: config.stopDeadlineMs },
    registry: { strategy: "RoundRobin", preferLocal: true, stopDelay: REGISTRY_STOP_DELAY_MS },
    circuitBreaker: {
      enabled: true,
      threshold: 0.5,
      minRequestCount: 20,
      windowTime: 10,
      // The group that probes a failing instance is repeated by another one, so a probe costs time and no answer.
      halfOpenTime: 1_000,
      check: isFaultOfInstance,
    },
    bulkhead: { enabled: true, concurrency: 256, maxQueueSize: 2_000 },
    transit: { maxQueueSize: 5_000, disableReconnect: false },
    validator: false,
    metrics: false,
    tracing: false,
    skipProcessEventRegistration: true,
    // Moleculer's own actions show nodes and options, passwords included, to every caller.
    internalServices: false,
    // The first is the innermost.
    middlewares: [admitCall({ read }), actionEdge(runtime), repeatCall()],
    created: (broker) => prepare(broker, runtime, options.ownsProcess ?? false),
    started: () => {
      runtime.logger.info({ pid: process.pid }, "process.started");
      const { env, acceptedRisks: risks } = config;
      if (env === "production" && risks.length > 0) runtime.logger.warn({ risks }, "process.accepted_risks");
    },
    stopped: () => runtime.lifecycle.close(),
  };
}

/** A lost connection says nothing about the instance behind it. */
const isFaultOfInstance = (error: Error): boolean =>
  "code" in error &&
  Number(error.code) >= 500 &&
  !(error instanceof NotSent || error instanceof Errors.RequestRejectedError);

/** Hides Moleculer's info lines, which describe its own start. */
const frameworkLevel = (level: Config["logLevel"]): string =>
  level === "info" ? "warn" : level === "silent" ? "fatal" : level;

function prepare(broker: ServiceBroker, runtime: Runtime, ownsProcess: boolean): void {
  attachRuntime(broker, runtime);
  runtime.metrics.set("pbo_build_info", 1, { version: VERSION, service: runtime.config.process });
  waitForNoOutgoingCall(broker);
  measureNoCpu(broker);
  runtime.health.require("nats", () => {
    const transporter = broker.transit?.tx as NatsTransporter | undefined;
    if (!transporter?.isHeard()) throw new Error("transporter down");
  });
  broker.localBus.once("$broker.started", runtime.health.startStarting());
  const { lifecycle } = runtime;
  lifecycle.onClose("traces", runtime.tracer.close);
  if (ownsProcess) {
    const started = watchStart(runtime);
    broker.localBus.once("$broker.started", started);
    stopOnSignals(broker, runtime);
    const ops = startOpsServer(runtime);
    ops.catch((err) => {
      runtime.logger.fatal({ err }, "ops_server.failed");
      process.exit(1);
    });
    lifecycle.onClose("ops server", async () => (await ops).close());
  }
}

/** A stop would wait for timed-out calls, which Moleculer never removes. Listener and services wait for real ones. */
function waitForNoOutgoingCall(broker: ServiceBroker): void {
  const { _trackedContexts: tracked } = broker as unknown as { _trackedContexts?: unknown[] };
  if (tracked) tracked.push = () => 0;
}

/** Every heartbeat would read the times of all CPUs thrice, for a way of balancing that is not ours. */
function measureNoCpu(broker: ServiceBroker): void {
  broker.getCpuUsage = () => Promise.resolve({ avg: 0 });
}
