/**
 * Moleculer's NATS transporter with two differences: what is sent during one turn of the event loop leaves in
 * one write, and nothing is kept while the broker is away. The client library would keep a request and send it
 * after the reconnect, long after its caller was told that it failed.
 */
import { Transporters } from "moleculer";
import { unavailable } from "./errors.ts";

type Packet = { type: string };
type Client = {
  publish(subject: string, data: Uint8Array): void;
  isClosed(): boolean;
  protocol?: { connected?: boolean };
};
type Base = {
  client: Client | null;
  broker: { Promise: PromiseConstructor };
  prepublish(packet: Packet): Promise<void>;
  send(topic: string, data: Uint8Array): Promise<void>;
  disconnect(): Promise<void>;
};

const REQUEST = "REQ";

export class NatsTransporter extends (Transporters.NATS as unknown as new (options: object) => Base) {
  #waiting: { topic: string; data: Uint8Array }[] = [];

  /** The client reconnects by itself, without telling Moleculer. */
  isUp(): boolean {
    return Boolean(this.client && !this.client.isClosed() && this.client.protocol?.connected);
  }

  override prepublish(packet: Packet): Promise<void> {
    if (this.isUp()) return super.prepublish(packet);
    return packet.type === REQUEST ? Promise.reject(unavailable("The message broker")) : Promise.resolve();
  }

  override send(topic: string, data: Uint8Array): Promise<void> {
    if (this.#waiting.push({ topic, data }) === 1) setImmediate(() => this.#flush());
    return Promise.resolve();
  }

  override disconnect(): Promise<void> {
    this.#flush();
    return super.disconnect();
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    for (const { topic, data } of batch) if (this.isUp()) this.client?.publish(topic, data);
  }
}
