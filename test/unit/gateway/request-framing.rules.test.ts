import { expect, test } from "@jest/globals";
import { absoluteTarget, framingFault } from "../../../gateway/http/request-framing.rules.ts";

const HOST = ["host", "api.test"];

test.each<[string, string[], string | undefined, number | null]>([
  ["one Host header", HOST, undefined, null],
  ["no Host header", ["accept", "host"], undefined, null],
  ["a header of four letters next to Host", [...HOST, "etag", "x"], undefined, null],
  ["two Host headers in different case", [...HOST, "HOST", "other.test"], undefined, 400],
  ["chunks", HOST, "chunked", null],
  ["chunks in capitals with spaces", HOST, " Chunked ", null],
  ["a compression within chunks", HOST, "gzip, chunked", 501],
  ["chunks within a compression, so the length is unknown", HOST, "chunked, gzip", 400],
  ["an empty transfer coding", HOST, "", 400],
])("framingFault: %s", (_, rawHeaders, coding, expected) => {
  expect(framingFault({ rawHeaders, headers: { "transfer-encoding": coding } })).toBe(expected);
});

test.each([
  ["http://api.test/v1/customers?a=b", { host: "api.test", path: "/v1/customers?a=b" }],
  ["HTTPS://api.test:8443", { host: "api.test:8443", path: "/" }],
  ["http://api.test?a=b", { host: "api.test", path: "/?a=b" }],
  ["/v1/customers", null],
  ["*", null],
  ["ftp://api.test/", null],
])("absoluteTarget: %s", (url, expected) => {
  expect(absoluteTarget(url)).toEqual(expected);
});
