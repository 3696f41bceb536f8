/**
 * The transporter with subjects that name their sender; packets that contradict theirs are not taken. In a request of
 * the gateway the signed statement stands in place of the caller.
 */
import type { CallMeta } from "../identity/caller.ts";
import type { SignCaller } from "../identity/caller-statement.ts";
import { isGroup } from "./group-outcome.ts";
import { NatsTransporter } from "./nats-transporter.ts";
import {
  heardSubject,
  PACKET_CHECKS,
  type PacketCheckName,
  type PacketPayload,
  packetSubject,
  processOf,
  requestSubject,
} from "./subjects.rules.ts";

type Packet = {
  type: string;
  target?: string | null;
  payload: PacketPayload & { meta?: CallMeta; params?: unknown };
};
type Message = { subject: string; data: Uint8Array };
/** Members of Moleculer's classes that their types omit. */
type Base = {
  prefix: string;
  nodeID: string;
  client: {
    subscribe(subject: string, options: { callback(error: Error | null, message: Message): void }): unknown;
  };
  logger: { warn(object: object, message: string): void };
  transit: { pendingRequests: Map<string, { nodeID: string }> };
  serialize(packet: Packet): Uint8Array;
  deserialize(type: string, data: Uint8Array): Packet;
  messageHandler(type: string, packet: Packet): unknown;
  send(subject: string, data: Uint8Array, meta: { packet: Packet }): Promise<void>;
};

type Options = {
  /** The gateway's. */
  sign?: SignCaller | undefined;
  /** Fewer in the test that shows what each is for. */
  checks?: readonly PacketCheckName[];
};

const ALL_CHECKS = Object.keys(PACKET_CHECKS) as PacketCheckName[];

export class BoundTransporter extends NatsTransporter {
  readonly #checks: readonly PacketCheckName[];
  readonly #sign: SignCaller | undefined;

  constructor(natsOptions: object, { sign, checks = ALL_CHECKS }: Options = {}) {
    super(natsOptions);
    this.#checks = checks;
    this.#sign = sign;
  }

  publish(packet: Packet): Promise<void> {
    const { prefix, nodeID } = this.#base;
    const { type, target, payload } = packet;
    const from = processOf(nodeID);
    if (payload.action === undefined) return this.#send(packetSubject(prefix, type, from, target), packet);
    if (this.#sign) this.#tellCallers(payload, payload.action, this.#sign);
    return this.#send(requestSubject(prefix, from, payload.action, target ?? ""), packet);
  }

  #send(subject: string, packet: Packet): Promise<void> {
    return this.#base.send(subject, this.#base.serialize(packet), { packet });
  }

  /** In copies: a call that is repeated is told again, with a statement of that time. */
  #tellCallers(payload: Packet["payload"], action: string, sign: SignCaller): void {
    const service = action.slice(0, action.indexOf("."));
    const told = ({ caller, ...meta }: CallMeta) =>
      caller ? { ...meta, statement: sign(caller, service) } : meta;
    if (payload.meta) payload.meta = told(payload.meta) as CallMeta;
    if (!isGroup(action, payload.params)) return;
    const { requests } = payload.params;
    payload.params = { requests: requests.map(({ params, meta }) => ({ params, meta: told(meta) })) };
  }

  async subscribe(type: string, nodeId?: string): Promise<void> {
    const { prefix, client } = this.#base;
    client.subscribe(heardSubject(prefix, type, nodeId), {
      callback: (error, message) => {
        if (!error) this.#take(type, message);
      },
    });
  }

  #take(type: string, { subject, data }: Message): void {
    const { logger, transit, prefix } = this.#base;
    try {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      const packet = this.#base.deserialize(type, bytes);
      const { payload } = packet;
      const asked = transit.pendingRequests.get(payload.id ?? "")?.nodeID;
      const failed = this.#checks.find(
        (check) => !PACKET_CHECKS[check]({ prefix, type, subject, payload, asked }),
      );
      if (failed) logger.warn({ subject, sender: payload.sender, not: failed }, "packet.refused");
      else this.#base.messageHandler(type, packet);
    } catch (err) {
      logger.warn({ err, subject }, "packet.unreadable");
    }
  }

  get #base(): Base {
    return this as unknown as Base;
  }
}
