/** The address guard at the moment of sending, against a real name server that lies. */
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createConnect } from "../../../services/delivery/send/sender-connect.ts";
import { createTestAuthority, type TestAuthority } from "../../support/builders/certificates.ts";
import { NOT_HTTPS_URLS, NOT_PUBLIC_URLS } from "../../support/builders/refused-urls.ts";
import { anAttempt, aSender, SENDER_SETTINGS, type TestSender } from "../../support/clients/sender.ts";
import { type DnsServer, startDnsServer } from "../../support/servers/dns-server.ts";
import { startTcpReceiver } from "../../support/servers/raw-receiver.ts";
import { type Receiver, startReceiver } from "../../support/servers/receiver.ts";
import { someRows } from "../../support/skipped.ts";

const PUBLIC = "93.184.216.34";
const EVERY = 6;
const ALL_URLS = [...NOT_PUBLIC_URLS, ...NOT_HTTPS_URLS];
const SOME_URLS = ALL_URLS.filter((_, index) => index % EVERY === 0);
const REFUSED_URLS = someRows(ALL_URLS, SOME_URLS, "refused URLs; unit/shared/webhook-url has each");

let authority: TestAuthority;
let receiver: Receiver;
let dns: DnsServer;
let guarded: TestSender;

beforeAll(async () => {
  authority = await createTestAuthority();
  dns = await startDnsServer();
  const names = ["localhost", "hooks.example.com"];
  receiver = await startReceiver({ certificate: await authority.issue({ names }), host: "127.0.0.1" });
  guarded = aSender({
    webhookAllowLoopback: false,
    webhookCaFile: authority.caFile,
    webhookDnsServers: [dns.address],
  });
});
afterEach(() => {
  dns.questions.length = 0;
});
afterAll(async () => {
  await guarded.close();
  await receiver.close();
  await dns.close();
});

const refusedAtSend = { ok: false, statusCode: null, errorKind: "UrlNotPublic", responseExcerpt: null };
const withPort = (url: string) => url.replace(/\/hook$/, `:${receiver.port}/hook`);

describe("a URL that came into the database by another way", () => {
  test.each(REFUSED_URLS)("$url is refused at send", async ({ url }) => {
    expect(await guarded.send(anAttempt({ url }))).toMatchObject(refusedAtSend);
    expect(await guarded.send(anAttempt({ url: withPort(url) }))).toMatchObject(refusedAtSend);
    expect(receiver.connections()).toBe(0);
  });

  test("is counted and logged, without the path, which may hold a secret", async () => {
    await guarded.send(anAttempt({ url: "https://10.1.2.3/hook?token=canary" }));
    expect(await guarded.metrics.text()).toMatch(/pbo_ssrf_blocked_total\{place="send".*\} [1-9]/);
    const line = guarded.logLines().at(-1);
    expect(line).toMatchObject({ msg: "webhook.address_refused", host: "10.1.2.3", level: "warn" });
    expect(JSON.stringify(guarded.logLines())).not.toContain("canary");
  });
});

describe("a name", () => {
  const sendTo = (host: string) => guarded.send(anAttempt({ url: `https://${host}:${receiver.port}/hook` }));

  test.each([
    ["a private address", ["10.0.0.1"]],
    ["loopback", ["127.0.0.1"]],
    ["loopback in IPv6", ["::1"]],
    ["an IPv4-mapped loopback", ["::ffff:127.0.0.1"]],
    ["NAT64 of a private address", ["64:ff9b::a00:1"]],
    ["6to4 of loopback", ["2002:7f00:1::"]],
    ["a public and a private address", [PUBLIC, "10.0.0.1"]],
    ["a private and a public address", ["192.168.0.1", PUBLIC]],
    ["a public IPv4 and a private IPv6 address", [PUBLIC, "fd00::1"]],
    ["a public IPv6 and a private IPv4 address", ["2606:4700::1111", "127.0.0.1"]],
  ])("that stands for %s is refused", async (_what, addresses) => {
    dns.set("hooks.example.com", addresses);
    expect(await sendTo("hooks.example.com")).toMatchObject(refusedAtSend);
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    ["does not exist", "NXDOMAIN" as const],
    ["has no address", []],
    ["has a broken server", "SERVFAIL" as const],
    ["has a silent server", "silent" as const],
  ])("that %s: Dns", async (_what, answer) => {
    dns.set("hooks.example.com", answer);
    expect(await sendTo("hooks.example.com")).toMatchObject({
      ok: false,
      statusCode: null,
      errorKind: "Dns",
    });
  });

  test("is asked for once per connection, so an answer changed in between has no effect", async () => {
    dns.set("hooks.example.com", [PUBLIC], ["127.0.0.1"]);
    const dialled: string[] = [];
    const recordingConnect = createConnect(
      { ...SENDER_SETTINGS, webhookAllowLoopback: false, webhookConnectTimeoutMs: 50 },
      { resolve: async () => [PUBLIC] },
      ((options: { lookup: (...args: unknown[]) => void }) => {
        options.lookup("hooks.example.com", { all: true }, (_error: null, addresses: { address: string }[]) =>
          dialled.push(...addresses.map(({ address }) => address)),
        );
        return connect({ host: "127.0.0.1", port: receiver.port });
      }) as unknown as typeof connect,
    );
    await expect(
      recordingConnect({ hostname: "hooks.example.com", port: String(receiver.port) }),
    ).rejects.toMatchObject({ kind: "UrlNotPublic" });
    expect(dialled).toEqual([PUBLIC]);
  });

  test("a name that was public at registration and is loopback now is refused", async () => {
    dns.set("hooks.example.com", ["127.0.0.1"]);
    expect(await sendTo("hooks.example.com")).toMatchObject(refusedAtSend);
    // Asked again, at least once: a resolver repeats a question that a busy machine answers late.
    expect(dns.questions).toContain("A hooks.example.com");
    expect(receiver.requests).toHaveLength(0);
  });
});

describe("the connected socket", () => {
  test("is looked at once more: a peer that was not vetted gets not a byte", async () => {
    const peer = await startTcpReceiver(() => undefined);
    const misled = createConnect(
      { ...SENDER_SETTINGS, webhookAllowLoopback: false },
      { resolve: async () => [PUBLIC] },
      (() => connect({ host: "127.0.0.1", port: peer.port })) as unknown as typeof connect,
    );
    await expect(misled({ hostname: "hooks.example.com", port: "443" })).rejects.toMatchObject({
      kind: "UrlNotPublic",
      message: "connected to an address that was not vetted",
    });
    expect(peer.bytesRead()).toBe(0);
    await peer.close();
  });
});

describe("in local mode", () => {
  test("loopback is reached, by name and by address, and private addresses are not", async () => {
    const local = aSender({ webhookCaFile: authority.caFile, webhookDnsServers: [dns.address] });
    dns.set("hooks.example.com", ["127.0.0.1"]);
    for (const host of ["localhost", "127.0.0.1", "hooks.example.com"])
      expect(await local.send(anAttempt({ url: `https://${host}:${receiver.port}/` }))).toMatchObject({
        ok: true,
      });
    for (const host of ["10.0.0.1", "[::ffff:127.0.0.1]", "169.254.169.254"])
      expect(await local.send(anAttempt({ url: `https://${host}/` }))).toMatchObject(refusedAtSend);
    await local.close();
  });
});
