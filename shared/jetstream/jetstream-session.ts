/** The connection to NATS: kept up after the first connect, restoring streams and consumers the server lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, Events, type JetStreamManager, type NatsConnection } from "nats";
import { withDeadline } from "../deadline.ts";
import { unavailable } from "../errors.ts";
import { retry } from "../retry.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { natsOptions } from "./nats-options.ts";

type Link = { connection: NatsConnection; manager: JetStreamManager };

type Deps = {
  options: ReturnType<typeof natsOptions>;
  /** Creates what is missing and resumes consuming. */
  restore(): Promise<void>;
  logger: Logger;
};

const CONNECT_MS = 3_000;
const REQUEST_MS = 5_000;
const CLOSE_MS = 2_000;
const REPAIR_FIRST_MS = 100;
const REPAIR_MAX_MS = 5_000;

const DISCONNECTED = new Error("disconnected");

export function createSession({ options, restore, logger }: Deps) {
  let current: Link | null = null;
  let up = false;
  let repairing = false;

  async function watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === Events.Disconnect) {
        up = false;
        logger.warn("jetstream.disconnected");
      } else if (type === Events.Reconnect) {
        up = true;
        logger.info("jetstream.reconnected");
        void repair();
      }
    }
    up = false;
  }

  async function repair(): Promise<void> {
    if (repairing) return;
    repairing = true;
    // A consumer that is lost again and again must not become a busy loop.
    await sleep(REPAIR_FIRST_MS);
    await retry(restoreIfOpen, {
      firstWaitMs: 2 * REPAIR_FIRST_MS,
      maxWaitMs: REPAIR_MAX_MS,
      onFault: (err) => err !== DISCONNECTED && logger.warn({ err }, "jetstream.repair_failed"),
    });
    repairing = false;
  }

  async function restoreIfOpen(): Promise<void> {
    if (!current || current.connection.isClosed()) return;
    if (!up) throw DISCONNECTED;
    await restore();
  }

  return {
    async connect(): Promise<void> {
      if (current && !current.connection.isClosed()) return;
      try {
        const connection = await connect({ ...options, timeout: CONNECT_MS });
        const manager = await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_MS });
        current = { connection, manager };
      } catch (cause) {
        throw unavailable("The message broker", cause);
      }
      up = true;
      void watch(current.connection);
    },
    /** Throws Service.Unavailable before the first connect and after the close. */
    link(): Link {
      if (!current || current.connection.isClosed()) throw unavailable("The message broker");
      return current;
    },
    connected: (): boolean => up,
    /** Runs the restore step until it succeeds, also after each reconnect. Never two at once. */
    repair: (): void => void repair(),
    async close(): Promise<void> {
      const connection = current?.connection;
      current = null;
      if (!connection || connection.isClosed()) return;
      const closed = up ? connection.drain() : connection.close();
      await withDeadline(closed, CLOSE_MS).catch(() => connection.close());
      up = false;
    },
  };
}
