/** NATS connection options, shared by Moleculer's transporter and JetStream. */
import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";

type NatsConfig = Pick<Config, "natsUrl" | "natsUser" | "natsPassword" | "natsCaFile" | "process">;

const RECONNECT_MS = 250;
const RECONNECT_JITTER_MS = 250;
const PING_MS = 10_000;

export function natsOptions(config: NatsConfig, use: "rpc" | "jetstream") {
  const servers = config.natsUrl.split(",").map((server) => server.trim());
  const fromUrl = new URL(servers[0] ?? "nats://127.0.0.1:4222");
  const user = config.natsUser || decodeURIComponent(fromUrl.username);
  const pass = config.natsPassword || decodeURIComponent(fromUrl.password);
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
    inboxPrefix: `_INBOX_${config.process}`,
    maxReconnectAttempts: -1,
    // Keep reconnecting after an authentication error: a password can be wrong for a moment while accounts change.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_MS,
    noEcho: false,
  };
}
