/** Every refused form at registration, over the real service and a real name server. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { NOT_HTTPS_URLS, NOT_PUBLIC_URLS } from "../../support/builders/refused-urls.ts";
import { type DnsServer, startDnsServer } from "../../support/servers/dns-server.ts";
import { someRows } from "../../support/skipped.ts";
import { type RegistryStage, startRegistryStage } from "../../support/stage/registry-stage.ts";

const PUBLIC = "93.184.216.34";
const EVERY = 6;
const ALL_URLS = [...NOT_PUBLIC_URLS, ...NOT_HTTPS_URLS];
const SOME_URLS = ALL_URLS.filter((_, index) => index % EVERY === 0);
const REFUSED_URLS = someRows(ALL_URLS, SOME_URLS, "refused URLs; unit/shared/webhook-url has each");

let stage: RegistryStage;
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  stage = await startRegistryStage({
    PBO_WEBHOOK_ALLOW_LOOPBACK: "false",
    PBO_WEBHOOK_DNS_SERVERS: dns.address,
    PBO_WEBHOOK_DNS_TIMEOUT_MS: "300",
  });
});
afterAll(async () => {
  await stage.stop();
  await dns.close();
});

describe("registration", () => {
  test.each(REFUSED_URLS)("$url: 400 $code, and nothing is stored", async ({ url, code }) => {
    const partnerId = randomUUID();
    for (const action of ["webhook-registry.register", "webhook-registry.replace"] as const)
      expect(await stage.refusal(action, partnerId, { url })).toMatchObject({ code, status: 400 });
    expect(await stage.collection.findOne({ partnerId })).toBeNull();
  });

  test.each([
    ["a private address", ["10.0.0.1"], "Webhook.UrlNotPublic"],
    ["a public and a private address", [PUBLIC, "10.0.0.1"], "Webhook.UrlNotPublic"],
    ["a public IPv4 and a link-local IPv6 address", [PUBLIC, "fe80::1"], "Webhook.UrlNotPublic"],
    ["the metadata service", ["169.254.169.254"], "Webhook.UrlNotPublic"],
    ["NAT64 of loopback", ["64:ff9b::7f00:1"], "Webhook.UrlNotPublic"],
    ["nothing", [], "Webhook.UrlUnresolvable"],
    ["a name that does not exist", "NXDOMAIN" as const, "Webhook.UrlUnresolvable"],
    ["a broken zone", "SERVFAIL" as const, "Webhook.UrlUnresolvable"],
    ["a silent name server", "silent" as const, "Webhook.UrlUnresolvable"],
  ])("of a name that stands for %s: 400", async (_what, answer, code) => {
    const host = `${randomUUID()}.example.com`;
    dns.set(host, answer);
    const url = `https://${host}/hook`;
    expect(await stage.refusal("webhook-registry.register", randomUUID(), { url })).toMatchObject({
      code,
      status: 400,
    });
  });

  test("a URL with public addresses is accepted and stored as given", async () => {
    const host = `${randomUUID()}.example.com`;
    dns.set(host, [PUBLIC, "2606:4700::1111"]);
    const partnerId = randomUUID();
    await stage.register(partnerId, `https://${host}:8443`);
    expect(await stage.read(partnerId)).toMatchObject({ url: `https://${host}:8443`, status: "Active" });
  });

  test("a refused address is counted and logged", async () => {
    const partnerId = randomUUID();
    await stage.refusal("webhook-registry.register", partnerId, { url: "https://10.9.8.7/?token=canary" });
    const line = stage.log.find((text) => text.includes(partnerId)) ?? "";
    expect(JSON.parse(line)).toMatchObject({ level: "warn", msg: "webhook.address_refused" });
    expect(line).not.toContain("canary");
  });
});

test("a name that turned private after its registration cannot be enabled", async () => {
  const [partnerId, host] = [randomUUID(), `${randomUUID()}.example.com`];
  dns.set(host, [PUBLIC]);
  await stage.register(partnerId, `https://${host}/hook`);
  dns.set(host, ["127.0.0.1"]);
  expect(await stage.refusal("webhook-registry.enable", partnerId)).toMatchObject({
    code: "Webhook.UrlNotPublic",
  });
});
