/** The connection: made once within a bound, then kept for ever, with what the server lost put back. */
import { connect, Events, type JetStreamClient, type JetStreamManager, type NatsConnection } from "nats";
import { unavailable } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { natsOptions } from "./nats-options.ts";

type Link = { connection: NatsConnection; client: JetStreamClient; manager: JetStreamManager };

export type Session = {
  connect(): Promise<void>;
  /** Throws Service.Unavailable before the first connect and after the close. */
  link(): Link;
  connected(): boolean;
  /** Runs the restore step until it succeeds; also done after each reconnect. Never two at once. */
  repair(): void;
  close(): Promise<void>;
};

type Deps = {
  options: ReturnType<typeof natsOptions>;
  /** Creates what is missing and takes up consuming again. */
  restore(): Promise<void>;
  logger: Logger;
};

const CONNECT_MS = 3_000;
const REQUEST_MS = 5_000;
const CLOSE_MS = 2_000;
const REPAIR_FIRST_MS = 100;
const REPAIR_LONGEST_MS = 5_000;

export function createSession({ options, restore, logger }: Deps): Session {
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
    let wait = REPAIR_FIRST_MS;
    let done = false;
    while (!done) {
      // Also before the first try, so that a consumer lost again and again is not a busy loop.
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, REPAIR_LONGEST_MS);
      done = current === null || current.connection.isClosed() || (up && (await restored()));
    }
    repairing = false;
  }

  async function restored(): Promise<boolean> {
    try {
      await restore();
      return true;
    } catch (err) {
      logger.warn({ err }, "jetstream.repair_failed");
      return false;
    }
  }

  return {
    async connect() {
      if (current && !current.connection.isClosed()) return;
      try {
        const connection = await connect({ ...options, timeout: CONNECT_MS });
        const client = connection.jetstream({ timeout: REQUEST_MS });
        const manager = await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_MS });
        current = { connection, client, manager };
      } catch (cause) {
        throw unavailable("The message broker", cause);
      }
      up = true;
      void watch(current.connection);
    },
    link() {
      if (!current || current.connection.isClosed()) throw unavailable("The message broker");
      return current;
    },
    connected: () => up,
    repair: () => void repair(),
    async close() {
      const connection = current?.connection;
      current = null;
      if (!connection || connection.isClosed()) return;
      const closed = up ? connection.drain() : connection.close();
      const timer = setTimeout(() => void connection.close(), CLOSE_MS);
      await closed.catch(() => connection.close());
      clearTimeout(timer);
      up = false;
    },
  };
}
