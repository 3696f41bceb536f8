/** HTTP/1.1 clients of webhook receivers: connections are kept per origin for a short while, one request at a time. */
import { Agent, Client, type Dispatcher, Pool } from "undici";
import type { Connect } from "./sender-connect.ts";
import { Exchange } from "./sender-exchange.ts";

export type Outgoing = { url: URL; headers: Record<string, string>; body: Uint8Array };

/** Below the five seconds after which common servers drop an idle connection. */
const IDLE_MS = 4_000;
const IDLE_MAX_MS = 30_000;
/** A connection is used no longer than this, so that a name is resolved and vetted again. */
const AGE_MAX_MS = 60_000;
/** A safety limit: callers bound what is in flight per endpoint. */
const MAX_SOCKETS_PER_ORIGIN = 2_048;
const MAX_HEADER_BYTES = 16_384;

export function createHttpClient(connect: Connect) {
  const options: Client.Options = {
    connect: (target, done) => {
      connect(target).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    // The exchange has its own deadlines.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agent = new Agent({
    ...options,
    clientTtl: AGE_MAX_MS,
    connections: MAX_SOCKETS_PER_ORIGIN,
    factory: (origin, poolOptions) =>
      new Pool(origin, {
        ...(poolOptions as Pool.Options),
        // Not among the agent's: the agent would then build another key of the pool for each request.
        allowH2: false,
        factory: (url, clientOptions) => new ObservingClient(url, clientOptions as Client.Options),
      }),
  });
  const apart = new Set<Client>();

  return {
    send: (outgoing: Outgoing, exchange: Exchange): void =>
      void agent.dispatch(toDispatch(outgoing), exchange),
    /** On a connection of its own, which is closed afterwards. */
    sendApart(outgoing: Outgoing, exchange: Exchange): void {
      const client = new Client(outgoing.url.origin, { ...options, allowH2: false, pipelining: 0 });
      apart.add(client);
      client.dispatch(toDispatch(outgoing), exchange);
      exchange.reply
        .catch(() => undefined)
        .finally(() => {
          apart.delete(client);
          client.destroy().catch(() => undefined);
        });
    },
    async destroy(): Promise<void> {
      await Promise.all([agent.destroy(), ...[...apart].map((client) => client.destroy())]);
    },
  };
}

/** Marks an exchange whose request goes out on a connection that was open before. */
class ObservingClient extends Client {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.usesKeptConnection = this.stats.connected;
    return super.dispatch(options, handler);
  }
}

const toDispatch = ({ url, headers, body }: Outgoing): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  path: `${url.pathname}${url.search}`,
  method: "POST",
  headers,
  body,
});
