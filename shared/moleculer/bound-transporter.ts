/** Subjects name their sender; a packet that contradicts its subject is refused. The gateway signs its callers. */
import type { CallMeta } from "../identity/caller.ts";
import type { SignCaller } from "../identity/caller-statement.ts";
import { isGroup } from "./group-outcome.ts";
import type { Message, Packet } from "./moleculer-internals.ts";
import { NatsTransporter } from "./nats-transporter.ts";
import {
  heardSubject,
  PACKET_CHECKS,
  type PacketCheckName,
  packetSubject,
  processOf,
  requestSubject,
} from "./subjects.rules.ts";

type Options = {
  /** The gateway's. */
  sign?: SignCaller | undefined;
  /** All but in the test of each single check. */
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
    const { prefix, nodeID } = this;
    const { type, target, payload } = packet;
    const { action } = payload;
    const from = processOf(nodeID);
    if (action !== undefined && this.#sign) this.#signCallers(payload, action, this.#sign);
    const subject =
      action === undefined
        ? packetSubject(prefix, type, from, target)
        : requestSubject(prefix, from, action, target ?? "");
    return this.send(subject, this.serialize(packet), { packet });
  }

  /** In copies: a repeated call is signed again, with a statement of that time. */
  #signCallers(payload: Packet["payload"], action: string, sign: SignCaller): void {
    const service = action.slice(0, action.indexOf("."));
    const signed = ({ caller, ...meta }: CallMeta) =>
      caller ? { ...meta, statement: sign(caller, service) } : meta;
    if (payload.meta) payload.meta = signed(payload.meta) as CallMeta;
    if (!isGroup(action, payload.params)) return;
    const { requests } = payload.params;
    payload.params = { requests: requests.map(({ params, meta }) => ({ params, meta: signed(meta) })) };
  }

  async subscribe(type: string, nodeId?: string): Promise<void> {
    const { prefix, client } = this;
    client?.subscribe(heardSubject(prefix, type, nodeId), {
      callback: (error, message) => {
        if (!error) this.#take(type, message);
      },
    });
  }

  #take(type: string, { subject, data }: Message): void {
    const { logger, transit, prefix } = this;
    try {
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
      const packet = this.deserialize(type, bytes);
      const { payload } = packet;
      const asked = transit.pendingRequests.get(payload.id ?? "")?.nodeID;
      const failed = this.#checks.find(
        (check) => !PACKET_CHECKS[check]({ prefix, type, subject, payload, asked }),
      );
      if (failed) logger.warn({ subject, sender: payload.sender, not: failed }, "packet.refused");
      else this.messageHandler(type, packet);
    } catch (err) {
      logger.warn({ err, subject }, "packet.unreadable");
    }
  }
}
