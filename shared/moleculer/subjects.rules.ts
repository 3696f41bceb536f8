/**
 * Subjects of Moleculer's packets on NATS, and the checks of a received packet. A subject names the sending process
 * and, for a request, the action. NATS permissions (deploy/nats) bind both; nothing inside a packet could.
 */
import { BoundedMap } from "../bounded-map.ts";
import type { ProcessName } from "../config/process-names.ts";

type Offer = { name?: string; fullName?: string; actions?: Record<string, { name?: string } | null> };
export type PacketPayload = { id?: string; sender: string; action?: string; services?: readonly Offer[] };
export type ReceivedPacket = {
  prefix: string;
  type: string;
  subject: string;
  payload: PacketPayload;
  /** For an answer: the node that was asked; undefined when no call waits for it. */
  asked?: string | undefined;
};

const REQUEST = "REQ";
const RESPONSE = "RES";
const INFO = "INFO";

export const subjectPrefix = (namespace: string): string => (namespace ? `MOL-${namespace}` : "MOL");

/** A node id begins with the name of its process. */
export const processOf = (nodeId: string): string => nodeId.slice(0, nodeId.indexOf("."));

/** `target` is a node id, or what it begins with and a wildcard. */
export const requestSubject = (prefix: string, from: string, action: string, target: string): string =>
  `${prefix}.${REQUEST}.${from}.${action}.${target}`;

/** Without a target it goes to all. */
export const packetSubject = (prefix: string, type: string, from: string, target?: string | null): string =>
  target ? `${prefix}.${type}.${from}.${target}` : `${prefix}.${type}.${from}`;

/** Subscription of a node: any process, and for a request any action. */
export const heardSubject = (prefix: string, type: string, target?: string): string =>
  type === REQUEST && target
    ? requestSubject(prefix, "*", "*.*", target)
    : packetSubject(prefix, type, "*", target);

type Subject = {
  prefix?: string | undefined;
  type?: string | undefined;
  from?: string | undefined;
  action: string;
};

/** Few different subjects carry many packets. */
const MAX_REMEMBERED = 2_000;
const remembered = new BoundedMap<string, Subject>(MAX_REMEMBERED);

function readSubject(subject: string): Subject {
  const known = remembered.get(subject);
  if (known) return known;
  const [prefix, type, from, service, action] = subject.split(".");
  const read = { prefix, type, from, action: `${service}.${action}` };
  remembered.set(subject, read);
  return read;
}

/** Each true for a packet that is as it should be. */
export const PACKET_CHECKS = {
  // JetStream can be made to send what it stores anywhere, and shows it under the subject it was stored with.
  "came on a subject of its kind": ({ prefix, type, subject }: ReceivedPacket): boolean => {
    const read = readSubject(subject);
    return read.prefix === prefix && read.type === type;
  },
  "is from the process its subject names": ({ subject, payload }: ReceivedPacket): boolean =>
    typeof payload.sender === "string" && readSubject(subject).from === processOf(payload.sender),
  "asks for the action its subject names": ({ type, subject, payload }: ReceivedPacket): boolean =>
    type !== REQUEST || readSubject(subject).action === payload.action,
  "answers what its sender was asked": ({ type, payload, asked }: ReceivedPacket): boolean =>
    type !== RESPONSE || asked === undefined || asked === payload.sender,
  "offers only its own service": ({ type, payload }: ReceivedPacket): boolean =>
    type !== INFO || (payload.services ?? []).every((offer) => isOwn(offer, processOf(payload.sender))),
} as const satisfies Record<string, (packet: ReceivedPacket) => boolean>;

export type PacketCheckName = keyof typeof PACKET_CHECKS;

const GATEWAY: ProcessName = "gateway";
/** The gateway's listener as a Moleculer service; no process may call it. */
const LISTENER = "api";

function isOwn({ name, fullName = name, actions = {} }: Offer, process: string): boolean {
  const own = process === GATEWAY ? LISTENER : process;
  return (
    name === own &&
    fullName === own &&
    Object.entries(actions).every(
      ([key, action]) => key.startsWith(`${own}.`) && (action?.name ?? key) === key,
    )
  );
}
