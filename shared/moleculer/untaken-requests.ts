/** NATS reports a request that no process subscribes to: its process is gone, long before heartbeats are missed. */
import { randomUUID } from "node:crypto";
import type { Client, Packet } from "./moleculer-internals.ts";

const NO_RESPONDERS = 503;
const PING = "-";

export type ReplyTo = (packet: Packet) => { reply: string } | undefined;

/** Returns the reply subject of a request or ping, which NATS alone uses. */
export function watchUntaken(
  client: Client,
  inboxPrefix: string,
  onUntaken: (requestId: string, nodeID: string) => void,
): ReplyTo {
  const inbox = `${inboxPrefix}.untaken.${randomUUID()}`;
  client.subscribe(`${inbox}.>`, {
    callback(_error, { subject, headers }) {
      if (headers?.code !== NO_RESPONDERS) return;
      const [id = "", ...nodeID] = subject.slice(inbox.length + 1).split(".");
      onUntaken(id, nodeID.join("."));
    },
  });
  return ({ type, target, payload }) => {
    if (!target || (type !== "REQ" && type !== "PING")) return undefined;
    return { reply: `${inbox}.${type === "REQ" ? payload.id : PING}.${target}` };
  };
}
