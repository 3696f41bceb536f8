/**
 * Moleculer's NATS transporter with five differences: writes per turn, deadlines in the clock of the called process
 * (peers.ts), calls that end with their connection (pending-calls.ts), processes found gone immediately
 * (untaken-requests.ts), and no request buffered while NATS is away: its caller would have an error before it is sent.
 */
import { setImmediate as turnEnd } from "node:timers/promises";
import { Transporters } from "moleculer";
import { AppError } from "../errors.ts";
import { sendPerTurn } from "../send-per-turn.ts";
import type { BaseTransporter, Client, Handler, Packet, Transit } from "./moleculer-internals.ts";
import { createPeers, type Heartbeat } from "./peers.ts";
import { NotSent, rejectCalls, rejectNotTaken, rejectRepeatable } from "./pending-calls.ts";
import { type ReplyTo, watchUntaken } from "./untaken-requests.ts";

const REQUEST = "REQ";
const RESPONSE = "RES";
const HEARTBEAT = "HEARTBEAT";
/** Broadcast by every process, at its start and every second. */
const HEARTBEATS = new Set(["INFO", HEARTBEAT]);
/** Four heartbeats that did not come back. */
const SILENCE_MS = 4_500;
const MAX_KEPT_ANSWERS = 2_000;

export class NatsTransporter extends (Transporters.NATS as unknown as new (
  options: object,
) => BaseTransporter) {
  #sendSoon = sendPerTurn();
  #peers = createPeers();
  #replyTo: ReplyTo = () => undefined;
  #keptAnswers: Packet[] = [];

  override init(transit: Transit, handler: Handler, afterConnect: unknown): void {
    const withHeartbeats: Handler = (command, packet) => {
      if (HEARTBEATS.has(command) && this.#peers.receive(packet.payload as Heartbeat))
        rejectRepeatable(transit, packet.payload.sender);
      return handler(command, packet);
    };
    super.init(transit, withHeartbeats, afterConnect);
  }

  override onConnected(wasReconnect?: boolean): Promise<void> {
    if (this.client) {
      void this.#watch(this.client);
      const onUntaken = (id: string, nodeID: string) => {
        rejectNotTaken(this.transit, id);
        this.#removePeer(nodeID);
      };
      this.#replyTo = watchUntaken(this.client, this.opts.inboxPrefix, onUntaken);
    }
    return super.onConnected(wasReconnect);
  }

  /** The own heartbeat came back: NATS receives and delivers. */
  isHeard(): boolean {
    const { at } = this.#peers.get(this.nodeID) ?? { at: Number.NEGATIVE_INFINITY };
    return this.isUp() && performance.now() - at < SILENCE_MS;
  }

  /** Read from the client, which reconnects without informing Moleculer. */
  isUp(): boolean {
    return Boolean(this.client && !this.client.isClosed() && this.client.protocol?.connected);
  }

  override async prepublish(packet: Packet): Promise<void> {
    if (packet.type === REQUEST) return this.#request(packet);
    if (packet.type === HEARTBEAT) this.#pingCalledProcesses();
    if (HEARTBEATS.has(packet.type)) Object.assign(packet.payload, this.#peers.heartbeat());
    if (this.isUp()) return super.prepublish(packet);
    // Unlike a request, an answer may be sent late.
    if (packet.type === RESPONSE && this.#keptAnswers.length < MAX_KEPT_ANSWERS)
      this.#keptAnswers.push(packet);
  }

  async send(topic: string, data: Uint8Array, { packet }: { packet: Packet }): Promise<void> {
    if (data.length > (this.client?.info?.max_payload ?? Number.POSITIVE_INFINITY))
      throw new AppError("Request.TooLarge", "The request is too large for one message.");
    const options = this.#replyTo(packet);
    this.#sendSoon(() => {
      try {
        if (this.isUp()) this.client?.publish(topic, data, options);
      } catch (err) {
        this.logger.warn({ err }, "transporter.not_sent");
      }
    });
  }

  override async disconnect(): Promise<void> {
    await turnEnd();
    if (this.isUp()) return super.disconnect();
    const { client } = this;
    this.client = null;
    await client?.close();
  }

  async #request(packet: Packet): Promise<void> {
    try {
      const peer = this.#peers.get(packet.target ?? "");
      if (!this.isUp() || !peer) throw new NotSent();
      const { meta } = packet.payload;
      if (meta?.endsAt !== undefined)
        packet.payload.meta = { ...meta, endsAt: meta.endsAt + peer.clockAheadMs };
      await super.prepublish(packet);
    } catch (error) {
      // Otherwise Moleculer would wait for the answer permanently.
      this.transit.removePendingRequest(packet.payload.id ?? "");
      throw error;
    }
  }

  #pingCalledProcesses(): void {
    const called = [...this.transit.pendingRequests.values()].map(({ nodeID }) => nodeID);
    for (const nodeID of new Set(called)) void this.transit.sendPing(nodeID);
  }

  /** Until its next heartbeat. */
  #removePeer(nodeID: string): void {
    if (!this.#peers.remove(nodeID)) return;
    const { broker } = this.transit;
    broker.registry.nodes.get(nodeID)?.disconnected();
    broker.registry.unregisterServicesByNode(nodeID);
    broker.servicesChanged(false);
    rejectRepeatable(this.transit, nodeID);
  }

  async #watch(client: Client): Promise<void> {
    for await (const { type } of client.status()) {
      if (type === "reconnect") await this.#reconnected();
      else if (type === "disconnect") {
        this.#peers.connectionLost();
        rejectCalls(this.transit);
      }
    }
  }

  async #reconnected(): Promise<void> {
    try {
      for (const answer of this.#keptAnswers.splice(0)) await super.prepublish(answer);
      const { discoverer } = this.transit;
      await discoverer.sendLocalNodeInfo();
      await discoverer.discoverAllNodes();
    } catch (err) {
      this.logger.warn({ err }, "transporter.not_announced");
    }
  }
}
