import { expect, test } from "@jest/globals";
import { isOwnFault, isTransportError } from "../../../services/delivery/send/sender-faults.ts";

const fault = (code: string, address: string): Error => Object.assign(new Error(code), { code, address });
const both = (...errors: Error[]): Error => Object.assign(new Error("all failed"), { errors });

test.each<[string, Error, boolean]>([
  ...["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"].map((code): [string, Error, boolean] => [
    `out of resources: ${code}`,
    fault(code, "203.0.113.7"),
    true,
  ]),
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

test.each([
  ["ECONNRESET", true],
  ["UND_ERR_SOCKET", true],
  ["UND_ERR_INVALID_ARG", false],
  ["UND_ERR_DESTROYED", false],
  ["UND_ERR_CLOSED", false],
  ["UND_ERR_ABORTED", false],
])("%s is a fault of the connection: %s", (code, expected) => {
  expect(isTransportError(Object.assign(new Error("x"), { code }))).toBe(expected);
  expect(isTransportError(new Error("without a code"))).toBe(false);
});
