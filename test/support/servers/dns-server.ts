/** A name server on a free UDP port that answers as told: real packets, so that the real resolver is tested. */
import { createSocket } from "node:dgram";
import { isIP } from "node:net";
import { addressValue } from "../address-value.ts";

/** Addresses, a failure, or silence; a list of lists is answered one after the other, the last for ever. */
type DnsAnswer = readonly string[] | "NXDOMAIN" | "SERVFAIL" | "silent";

export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2 } as const;
const TYPES: Record<number, "A" | "AAAA"> = { 1: "A", 28: "AAAA" };

export async function startDnsServer() {
  const socket = createSocket("udp4");
  const zone = new Map<string, DnsAnswer[]>();
  /** So far, as "A name" and "AAAA name". */
  const questions: string[] = [];

  socket.on("message", (query, from) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${TYPES[type]} ${name}`);
    const script = zone.get(name) ?? ["NXDOMAIN"];
    // Each name is asked for A and AAAA; both see the same step of the script.
    const answer = script[0] as DnsAnswer;
    if (type === 28 && script.length > 1) script.shift();
    if (answer === "silent") return;
    const addresses =
      typeof answer === "string" ? [] : answer.filter((text) => isIP(text) === familyOf(type));
    const rcode = typeof answer === "string" ? RCODES[answer] : 0;
    socket.send(reply(query.subarray(0, end), type, rcode, addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));

  return {
    /** For PBO_WEBHOOK_DNS_SERVERS. */
    address: `127.0.0.1:${socket.address().port}`,
    set: (name: string, ...answers: DnsAnswer[]) => void zone.set(name, answers),
    questions,
    close: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}

const familyOf = (type: number): number => (type === 28 ? 6 : 4);

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** RFC 1035: the question again, then each address with a pointer to its name. */
function reply(question: Buffer, type: number, rcode: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | rcode, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = addressBytes(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

function addressBytes(address: string): Buffer {
  const { bits, value } = addressValue(address);
  return Buffer.from(value.toString(16).padStart(bits / 4, "0"), "hex");
}
