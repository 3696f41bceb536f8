/** Parts of Moleculer and of its NATS client that their types do not show. */
import type { CallMeta } from "../identity/caller.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { PacketPayload } from "./subjects.rules.ts";

export type Packet = {
  type: string;
  target?: string | null;
  payload: PacketPayload & { meta?: CallMeta; params?: unknown };
};
export type Message = { subject: string; data: Uint8Array; headers?: { code: number } };

export type Client = {
  publish(subject: string, data: Uint8Array, options?: { reply: string }): void;
  subscribe(subject: string, options: { callback(error: Error | null, message: Message): void }): unknown;
  status(): AsyncIterable<{ type: string }>;
  isClosed(): boolean;
  close(): Promise<void>;
  info?: { max_payload?: number };
  protocol?: { connected?: boolean };
};

export type PendingRequest = { nodeID: string; action: { name: string }; reject(error: Error): void };

export type Transit = {
  broker: {
    registry: {
      nodes: { get(nodeID: string): { disconnected(): void } | undefined };
      unregisterServicesByNode(nodeID: string): void;
    };
    servicesChanged(isLocal: boolean): void;
  };
  pendingRequests: Map<string, PendingRequest>;
  removePendingRequest(id: string): void;
  sendPing(nodeID: string): Promise<void>;
  discoverer: { sendLocalNodeInfo(): Promise<unknown>; discoverAllNodes(): Promise<unknown> };
};

export type Handler = (command: string, packet: Packet) => unknown;

export type BaseTransporter = {
  prefix: string;
  nodeID: string;
  opts: { inboxPrefix: string };
  client: Client | null;
  logger: Logger;
  transit: Transit;
  messageHandler: Handler;
  init(transit: Transit, handler: Handler, afterConnect: unknown): void;
  onConnected(wasReconnect?: boolean): Promise<void>;
  prepublish(packet: Packet): Promise<void>;
  disconnect(): Promise<void> | undefined;
  serialize(packet: Packet): Uint8Array;
  deserialize(type: string, data: Uint8Array): Packet;
};
