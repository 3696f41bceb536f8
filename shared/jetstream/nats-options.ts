/** NATS connection options of Moleculer's transporter and of JetStream, which are users of different accounts. */
import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";

type NatsConfig = Pick<Config, "process" | Extract<keyof Config, `nats${string}`>>;

const RECONNECT_MS = 250;
const RECONNECT_JITTER_MS = 250;
/** A connection that the network forgot is left after three beats without an answer, at the fourth. */
const PING_MS = 1_000;
const MAX_PINGS_OUT = 3;

export function natsOptions(config: NatsConfig, use: "rpc" | "jetstream") {
  const servers = config.natsUrl.split(",").map((server) => server.trim());
  const fromUrl = new URL(servers[0] ?? "nats://127.0.0.1:4222");
  const [ownUser, ownPassword] =
    use === "rpc"
      ? [config.natsUser, config.natsPassword]
      : [config.natsStreamsUser, config.natsStreamsPassword];
  const user = ownUser || decodeURIComponent(fromUrl.username);
  const pass = ownPassword || decodeURIComponent(fromUrl.password);
  const tls = config.natsCaFile
    ? { ca: readFileSync(config.natsCaFile, "utf8") }
    : fromUrl.protocol === "tls:"
      ? {}
      : undefined;
  return {
    servers: servers.map((server) => new URL(server).host),
    name: `${config.process} ${use}`,
    ...(user ? { user, pass } : {}),
    ...(tls ? { tls } : {}),
    // A user may subscribe to its own inbox only.
    inboxPrefix: `_INBOX_${ownUser || config.process}`,
    maxReconnectAttempts: -1,
    // Keep reconnecting after an authentication error: a password can be wrong for a moment while accounts change.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
    noEcho: false,
  };
}
