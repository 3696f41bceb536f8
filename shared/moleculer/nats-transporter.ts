/**
 * Moleculer's NATS transporter with two differences: everything sent in one turn of the event loop goes out in one
 * write, and nothing is buffered while the broker is away. The client library would send a buffered request after the
 * reconnect, long after its caller was told that it failed.
 */
import { Transporters } from "moleculer";
import { AppError, unavailable } from "../errors.ts";
import type { Logger } from "../telemetry/logger.ts";

type Packet = { type: string; payload: { id?: string } };
type Client = {
  publish(subject: string, data: Uint8Array): void;
  isClosed(): boolean;
  close(): Promise<void>;
  info?: { max_payload?: number };
  protocol?: { connected?: boolean };
};
type Base = {
  client: Client | null;
  logger: Logger;
  transit: { removePendingRequest(id: string): void };
  prepublish(packet: Packet): Promise<void>;
  disconnect(): Promise<void> | undefined;
};

const REQUEST = "REQ";

export class NatsTransporter extends (Transporters.NATS as unknown as new (options: object) => Base) {
  #waiting: { topic: string; data: Uint8Array }[] = [];

  /** Read from the client, which reconnects without informing Moleculer. */
  isUp(): boolean {
    return Boolean(this.client && !this.client.isClosed() && this.client.protocol?.connected);
  }

  override async prepublish(packet: Packet): Promise<void> {
    if (packet.type !== REQUEST) return this.isUp() ? super.prepublish(packet) : undefined;
    try {
      if (!this.isUp()) throw unavailable("The message broker");
      return await super.prepublish(packet);
    } catch (error) {
      // Otherwise Moleculer would wait for the answer forever.
      this.transit.removePendingRequest(packet.payload.id ?? "");
      throw error;
    }
  }

  async send(topic: string, data: Uint8Array): Promise<void> {
    if (data.length > (this.client?.info?.max_payload ?? Number.POSITIVE_INFINITY))
      throw new AppError("Request.TooLarge", "The request is too large for one message.");
    if (this.#waiting.push({ topic, data }) === 1) setImmediate(() => this.#flush());
  }

  override async disconnect(): Promise<void> {
    this.#flush();
    if (this.isUp()) return super.disconnect();
    const { client } = this;
    this.client = null;
    await client?.close();
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    for (const { topic, data } of batch) {
      try {
        if (this.isUp()) this.client?.publish(topic, data);
      } catch (err) {
        this.logger.warn({ err }, "transporter.not_sent");
      }
    }
  }
}
