/**
 * Moleculer's NATS transporter with these differences: everything sent in one turn of the event loop goes out in one
 * write; no request is buffered while the broker is away, since the client library would send it after the reconnect,
 * long after its caller was told that it failed; calls that a lost connection leaves without an answer end at once;
 * a process that is gone is known by the broker's word that nobody takes its requests, long before its heartbeats are
 * missed; a deadline is told in the clock of the process that is called, so that no wait on the way can prolong it.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as turnEnd } from "node:timers/promises";
import { Errors, Transporters } from "moleculer";
import { BoundedMap } from "../bounded-map.ts";
import { REPEATABLE_ACTIONS } from "../contract/actions.ts";
import { AppError } from "../errors.ts";
import type { CallMeta } from "../identity/caller.ts";
import { sendPerTurn } from "../send-per-turn.ts";
import type { Logger } from "../telemetry/logger.ts";

type Sign = { sender: string; clockMs?: number; connection?: number };
type Packet = {
  type: string;
  target?: string | null;
  payload: { id?: string; action?: string; meta?: CallMeta } & object;
};
type Handler = (command: string, packet: Packet) => unknown;
type Message = { subject: string; headers?: { code: number } };
type Client = {
  publish(subject: string, data: Uint8Array, options?: { reply: string }): void;
  subscribe(subject: string, options: { callback(error: Error | null, message: Message): void }): unknown;
  status(): AsyncIterable<{ type: string }>;
  isClosed(): boolean;
  close(): Promise<void>;
  info?: { max_payload?: number };
  protocol?: { connected?: boolean };
};
type PendingRequest = {
  nodeID: string;
  action: { name: string };
  reject(error: Error): void;
};
type Transit = {
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
type Base = {
  nodeID: string;
  opts: { inboxPrefix: string };
  client: Client | null;
  logger: Logger;
  transit: Transit;
  init(transit: Transit, handler: Handler, afterConnect: unknown): void;
  onConnected(wasReconnect?: boolean): Promise<void>;
  prepublish(packet: Packet): Promise<void>;
  disconnect(): Promise<void> | undefined;
};
/** State of another process since the last connection. */
type Heard = { clockAheadMs: number; connection: number };

const REQUEST = "REQ";
const RESPONSE = "RES";
const PING = "PING";
const HEARTBEAT = "HEARTBEAT";
/** Broadcast by every process: when it is there, and every second. */
const SIGNS = new Set(["INFO", HEARTBEAT]);
/** Four heartbeats that did not come back. */
const SILENCE_MS = 4_500;
const MAX_PROCESSES = 1_000;
const MAX_KEPT_ANSWERS = 2_000;

/** The request did not leave this process; one that another process answered with loses this class on the way. */
export class NotSent extends AppError {
  constructor() {
    super("Service.Unavailable", "The message broker cannot be reached at the moment; try again shortly.", {
      retryAfterSeconds: 1,
    });
  }
}

/** Nobody took the request: the process it was for is gone. */
export class NotTaken extends NotSent {}

/** NATS's status for a message that nobody subscribes to. */
const NO_RESPONDERS = 503;
const NO_REQUEST = "-";

export class NatsTransporter extends (Transporters.NATS as unknown as new (options: object) => Base) {
  #sendSoon = sendPerTurn();
  #untaken = "";
  #keptAnswers: Packet[] = [];
  #heard = new BoundedMap<string, Heard>(MAX_PROCESSES);
  #connection = 1;
  #heardSelfAt = 0;

  override init(transit: Transit, handler: Handler, afterConnect: unknown): void {
    const heeding: Handler = (command, packet) => {
      if (SIGNS.has(command)) this.#hear(packet.payload as Sign);
      return handler(command, packet);
    };
    super.init(transit, heeding, afterConnect);
  }

  override onConnected(wasReconnect?: boolean): Promise<void> {
    if (this.client) {
      void this.#watch(this.client);
      this.#untaken = `${this.opts.inboxPrefix}.untaken.${randomUUID()}`;
      const callback = (_error: Error | null, { subject, headers }: Message) => {
        if (headers?.code === NO_RESPONDERS) this.#notTaken(subject.slice(this.#untaken.length + 1));
      };
      this.client.subscribe(`${this.#untaken}.>`, { callback });
    }
    return super.onConnected(wasReconnect);
  }

  /** Its own heartbeat came back: the broker takes and gives. */
  isHeard(): boolean {
    return this.isUp() && performance.now() - this.#heardSelfAt < SILENCE_MS;
  }

  /** Read from the client, which reconnects without informing Moleculer. */
  isUp(): boolean {
    return Boolean(this.client && !this.client.isClosed() && this.client.protocol?.connected);
  }

  override async prepublish(packet: Packet): Promise<void> {
    if (packet.type === REQUEST) return this.#request(packet);
    if (packet.type === HEARTBEAT) this.#askThoseWhoOweAnswers();
    if (this.isUp()) return super.prepublish(SIGNS.has(packet.type) ? this.#signed(packet) : packet);
    // Unlike a request, an answer is welcome late or not at all.
    if (packet.type === RESPONSE && this.#keptAnswers.length < MAX_KEPT_ANSWERS)
      this.#keptAnswers.push(packet);
  }

  async send(topic: string, data: Uint8Array, { packet }: { packet: Packet }): Promise<void> {
    if (data.length > (this.client?.info?.max_payload ?? Number.POSITIVE_INFINITY))
      throw new AppError("Request.TooLarge", "The request is too large for one message.");
    const options = packet.target ? this.#replyTo(packet) : undefined;
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
      const to = this.#heard.get(packet.target ?? "");
      // Not heard since the connection was made: it may not have its own yet, and the broker would drop the request.
      if (!this.isUp() || !to) throw new NotSent();
      const { meta } = packet.payload;
      if (meta?.endsAt !== undefined)
        packet.payload.meta = { ...meta, endsAt: meta.endsAt + to.clockAheadMs };
      await super.prepublish(packet);
    } catch (error) {
      // Otherwise Moleculer would wait for the answer forever.
      this.transit.removePendingRequest(packet.payload.id ?? "");
      throw error;
    }
  }

  #signed(packet: Packet): Packet {
    Object.assign(packet.payload, { clockMs: performance.now(), connection: this.#connection });
    return packet;
  }

  /**
   * A sign is read after it was written, so the other clock is at least this far ahead: a deadline told in it can only
   * come early, by the time that the sign took.
   */
  #hear({ sender, clockMs = Number.NaN, connection = 0 }: Sign): void {
    if (sender === this.nodeID) this.#heardSelfAt = performance.now();
    const before = this.#heard.get(sender);
    this.#heard.set(sender, { clockAheadMs: clockMs - performance.now(), connection });
    // It lost its connection, and with it requests or answers. Others may still be answered, and are not repeated.
    if (before && before.connection !== connection) this.#rejectRepeatable(sender);
  }

  /** For the broker's word only; answers have their own way. */
  #replyTo({ type, target, payload }: Packet): { reply: string } | undefined {
    if (type !== REQUEST && type !== PING) return;
    return { reply: `${this.#untaken}.${type === REQUEST ? payload.id : NO_REQUEST}.${target}` };
  }

  #askThoseWhoOweAnswers(): void {
    const owing = [...this.transit.pendingRequests.values()].map(({ nodeID }) => nodeID);
    for (const nodeID of new Set(owing)) void this.transit.sendPing(nodeID);
  }

  #notTaken(place: string): void {
    const id = place.slice(0, place.indexOf("."));
    const gone = place.slice(id.length + 1);
    const { broker, pendingRequests } = this.transit;
    const request = pendingRequests.get(id);
    if (request) {
      pendingRequests.delete(id);
      request.reject(new NotTaken());
    }
    if (!this.#heard.get(gone)) return;
    // Until it is heard again. Answers that it has ready may still come, so only what can be repeated ends now.
    this.#heard.delete(gone);
    broker.registry.nodes.get(gone)?.disconnected();
    broker.registry.unregisterServicesByNode(gone);
    broker.servicesChanged(false);
    this.#rejectRepeatable(gone);
  }

  async #watch(client: Client): Promise<void> {
    for await (const { type } of client.status()) {
      if (type === "disconnect") this.#lost();
      else if (type === "reconnect") await this.#returned();
    }
  }

  #lost(): void {
    this.#heard.clear();
    this.#connection += 1;
    this.#rejectPending(() => true);
  }

  async #returned(): Promise<void> {
    try {
      for (const answer of this.#keptAnswers.splice(0)) await super.prepublish(answer);
      const { discoverer } = this.transit;
      await discoverer.sendLocalNodeInfo();
      await discoverer.discoverAllNodes();
    } catch (err) {
      this.logger.warn({ err }, "transporter.not_announced");
    }
  }

  #rejectRepeatable(of: string): void {
    this.#rejectPending(({ nodeID, action }) => nodeID === of && REPEATABLE_ACTIONS.has(action.name));
  }

  #rejectPending(isMeant: (request: PendingRequest) => boolean): void {
    const { pendingRequests } = this.transit;
    for (const [id, request] of pendingRequests) {
      if (!isMeant(request)) continue;
      pendingRequests.delete(id);
      const { nodeID, action } = request;
      request.reject(new Errors.RequestRejectedError({ action: action.name, nodeID }));
    }
  }
}
