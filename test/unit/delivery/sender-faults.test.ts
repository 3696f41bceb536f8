import { expect, test } from "@jest/globals";
import { isOwnFault } from "../../../services/delivery/send/sender-faults.ts";

const fault = (code: string, address: string): Error => Object.assign(new Error(code), { code, address });
const both = (...errors: Error[]): Error => Object.assign(new Error("all failed"), { errors });

test.each([
  ["out of descriptors", fault("EMFILE", "203.0.113.7"), true],
  ["out of ports to an IPv4 address", fault("EADDRNOTAVAIL", "203.0.113.7"), true],
  ["no IPv6 on this machine", fault("EADDRNOTAVAIL", "2001:db8::7"), false],
  ["refused by the receiver", fault("ECONNREFUSED", "203.0.113.7"), false],
  [
    "out of ports, and no IPv6",
    both(fault("EADDRNOTAVAIL", "203.0.113.7"), fault("EADDRNOTAVAIL", "2001:db8::7")),
    false,
  ],
  [
    "out of descriptors at each address",
    both(fault("EMFILE", "203.0.113.7"), fault("EMFILE", "2001:db8::7")),
    true,
  ],
])("%s", (_, error, isOwn) => {
  expect(isOwnFault(error)).toBe(isOwn);
});
