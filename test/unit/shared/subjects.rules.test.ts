import { describe, expect, test } from "@jest/globals";
import { mayCall } from "../../../shared/contract/actions.ts";
import {
  heardSubject,
  PACKET_CHECKS,
  packetSubject,
  processOf,
  type ReceivedPacket,
  requestSubject,
  subjectPrefix,
} from "../../../shared/moleculer/subjects.rules.ts";

type Packet = Omit<ReceivedPacket, "prefix"> & { prefix?: string };

const failed = ({ prefix = "MOL", ...packet }: Packet): string[] =>
  Object.entries(PACKET_CHECKS)
    .filter(([, isFine]) => !isFine({ prefix, ...packet }))
    .map(([name]) => name);

const KIND = "came on a subject of its kind";
const FROM = "is from the process its subject names";
const ACTION = "asks for the action its subject names";
const ANSWER = "answers what its sender was asked";
const OFFER = "offers only its own service";

/** A request on the subject, and of the payload that the words behind it say: sender and action. */
const request = (subject: string, sender: string, action: string): Packet => ({
  type: "REQ",
  subject,
  payload: { sender, action },
});
const answer = (process: string, sender: string, asked?: string): Packet => ({
  type: "RES",
  subject: `MOL.RES.${process}.g`,
  payload: { sender },
  asked,
});
const info = (sender: string, ...services: NonNullable<ReceivedPacket["payload"]["services"]>) => ({
  type: "INFO",
  subject: `MOL.INFO.${processOf(sender)}`,
  payload: { sender, services },
});

const TO_PROFILE = "MOL.REQ.document.profile.recordDocument.profile.h.1.a";
const GATEWAY = { type: "HEARTBEAT", subject: "MOL.HEARTBEAT.gateway" };
const own = (actions: object, more: object = {}) =>
  info("delivery.h.1", { name: "delivery", actions: actions as never, ...more });

test.each<[string, Packet, string[]]>([
  ["a request as its subject says", request(TO_PROFILE, "document.h.2.b", "profile.recordDocument"), []],
  ["a request in another's name", request(TO_PROFILE, "gateway.h.2.b", "profile.recordDocument"), [FROM]],
  ["a request for another action", request(TO_PROFILE, "document.h.2.b", "profile.approveCase"), [ACTION]],
  ["a stored message", request("events.attempt.gateway.profile.get", "gateway.h.1", "profile.get"), [KIND]],
  ["another installation", request("MOL-blue.REQ.gateway.a.get.a.h", "gateway.h.1", "a.get"), [KIND]],
  ["a sender without a process", request("MOL.REQ.a.b.c.profile.h", "gateway", "b.c"), [FROM]],
  ["a sender that is no text", { ...GATEWAY, payload: { sender: 1 as never } }, [FROM]],
  ["an answer of the node that was asked", answer("profile", "profile.h.1", "profile.h.1"), []],
  ["an answer of another node", answer("delivery", "delivery.h.1", "profile.h.1"), [ANSWER]],
  ["an answer that no caller waits for", answer("profile", "profile.h"), []],
  ["an offer of its own", own({ "delivery.get": { name: "delivery.get" } }, { fullName: "delivery" }), []],
  ["no offer", info("admin.h.1"), []],
  ["the gateway's listener", info("gateway.h.1", { name: "api", actions: { "api.rest": {} } }), []],
  ["another's service", info("delivery.h.1", { name: "delivery" }, { name: "profile" }), [OFFER]],
  ["another's service under a second name", own({}, { fullName: "profile" }), [OFFER]],
  ["another's action in its own service", own({ "profile.get": null }), [OFFER]],
  ["another's action next to its own", own({ "delivery.x": null, "profile.get": null }), [OFFER]],
  ["an action under another's name", own({ "delivery.x": { name: "profile.get" } }), [OFFER]],
  ["Moleculer's own", info("delivery.h.1", { name: "$node" }), [OFFER]],
  ["a service without a name", info("delivery.h.1", {}), [OFFER]],
])("a packet that arrived: %s", (_what, packet, problems) => {
  expect(failed(packet)).toEqual(problems);
});

describe("subjects", () => {
  const mol = subjectPrefix("");
  test("name who sends, what is asked and who is meant", () => {
    expect(requestSubject(mol, "gateway", "profile.get", "profile.h.1")).toBe(
      "MOL.REQ.gateway.profile.get.profile.h.1",
    );
    expect(packetSubject(subjectPrefix("blue"), "INFO", "profile")).toBe("MOL-blue.INFO.profile");
    expect(packetSubject(mol, "INFO", "profile", "gateway.h.1")).toBe("MOL.INFO.profile.gateway.h.1");
  });
  test("subjects that a node receives leave open the sender", () => {
    expect(heardSubject(mol, "REQ", "profile.h.1")).toBe("MOL.REQ.*.*.*.profile.h.1");
    expect(heardSubject(mol, "RES", "profile.h.1")).toBe("MOL.RES.*.profile.h.1");
    expect(heardSubject(mol, "INFO")).toBe("MOL.INFO.*");
  });
});

test.each([
  ["gateway", "profile.approveCase", true],
  ["delivery", "profile.confirmEvents", true],
  ["delivery", "profile.approveCase", false],
  ["document", "profile.confirmEvents", false],
  ["admin", "profile.approveCase", false],
  ["", "profile.approveCase", false],
  ["gateway", "profile.unheardOf", false],
  ["gateway", "profile.toString", false],
  ["gateway", "$node.list", false],
  ["gateway", "constructor.name", false],
])("%s calls %s: %s", (process, action, isAllowed) => {
  expect(mayCall(process, action)).toBe(isAllowed);
});
