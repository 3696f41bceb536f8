/**
 * Opens the connection of a webhook. The name is resolved here and nowhere else, every address is vetted, only vetted
 * addresses are dialled, and the connected peer is compared with them before a byte of TLS is sent.
 */
import { readFileSync } from "node:fs";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, getCACertificates, type TLSSocket } from "node:tls";
import type { Config } from "../../../shared/config/config.ts";
import { errorCode } from "../../../shared/errors.ts";
import { sameAddress } from "../../../shared/webhook/public-address.ts";
import { type Destination, type Resolver, resolveDestination } from "../../../shared/webhook/webhook-url.ts";
import { isOwnFault, SendFault } from "./sender-faults.ts";

export type ConnectSettings = Pick<
  Config,
  "webhookAllowLoopback" | "webhookCaFile" | "webhookDnsTimeoutMs" | "webhookConnectTimeoutMs"
>;

export type Connect = (target: { hostname: string; port: string }) => Promise<TLSSocket>;

const HTTPS_PORT = 443;
/** All addresses of a name are vetted; at most this many are dialled. */
const MAX_DIALLED = 8;
/** Node's own 250 ms is too short for a receiver on another continent. */
const NEXT_ADDRESS_AFTER_MS = 1_000;

/** Tests replace `openTcp` to prove that the connected peer is checked again. */
export function createConnect(settings: ConnectSettings, resolver: Resolver, openTcp = connectTcp): Connect {
  // Made once: parsing all root certificates for each connection would cost more than the handshake.
  const secureContext = createSecureContext(trustedCertificates(settings.webhookCaFile));

  return async ({ hostname, port }) => {
    const destination = await vet(hostname);
    const deadline = performance.now() + settings.webhookConnectTimeoutMs;
    const socket = await dial(destination, Number(port) || HTTPS_PORT, deadline);
    if (!destination.addresses.some((address) => sameAddress(address, socket.remoteAddress ?? ""))) {
      socket.destroy();
      throw new SendFault("UrlNotPublic", "connected to an address that was not vetted");
    }
    return secure(socket, destination.host, deadline);
  };

  async function vet(hostname: string): Promise<Destination> {
    try {
      return await resolveDestination(hostname, {
        resolver,
        allowLoopback: settings.webhookAllowLoopback,
        timeoutMs: settings.webhookDnsTimeoutMs,
      });
    } catch (cause) {
      const kind = errorCode(cause) === "Webhook.UrlNotPublic" ? "UrlNotPublic" : "Dns";
      throw new SendFault(kind, cause instanceof Error ? cause.message : "not resolved", cause);
    }
  }

  function dial({ host, addresses }: Destination, port: number, deadline: number): Promise<Socket> {
    const vetted = addresses.slice(0, MAX_DIALLED).map((address) => ({ address, family: isIP(address) }));
    const lookup = ((_host, _options, done) => done(null, vetted)) as LookupFunction;
    const socket = openTcp({
      host,
      port,
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      noDelay: true,
      keepAlive: true,
    });
    return established(socket, "connect", "Connect", deadline);
  }

  function secure(socket: Socket, host: string, deadline: number): Promise<TLSSocket> {
    const secured = connectTls({
      socket,
      host,
      // RFC 6066: a literal address is no server name; the certificate is then compared with `host`.
      servername: isIP(host) === 0 ? host : "",
      secureContext,
      ALPNProtocols: ["http/1.1"],
      // Explicit: NODE_TLS_REJECT_UNAUTHORIZED=0 would disable it.
      rejectUnauthorized: true,
    });
    return established(secured, "secureConnect", "Tls", deadline);
  }
}

function trustedCertificates(extraFile: string): { ca?: string[] } {
  return extraFile ? { ca: [...getCACertificates("default"), readFileSync(extraFile, "utf8")] } : {};
}

function established<S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  kind: "Connect" | "Tls",
  deadline: number,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const release = () => {
      clearTimeout(timer);
      socket.off(event, succeed).off("error", fail).off("close", closed);
    };
    const succeed = () => {
      release();
      resolve(socket);
    };
    const fail = (cause: unknown, why: "Connect" | "Tls" | "Timeout" | "Own" = kind) => {
      release();
      socket.destroy();
      reject(new SendFault(isOwnFault(cause) ? "Own" : why, "no connection", cause));
    };
    const closed = () => fail(new Error("closed by the receiver"));
    const timer = setTimeout(
      () => fail(new Error("connect deadline"), "Timeout"),
      Math.max(0, deadline - performance.now()),
    );
    // An error before the next owner listens would end the process.
    socket.on("error", () => undefined);
    socket.once(event, succeed).once("error", fail).once("close", closed);
  });
}
