/** Command line options of `npm start`. */
import { parseArgs } from "node:util";

export type Options = ReturnType<typeof parseOptions>;

export const USAGE = `Starts the whole system on this machine, with real servers.

  npm start [-- options]

  --watch          restart a service when its code changes (npm run dev)
  --verbose        show all log lines of the services, not only warnings and errors
  --demo-data      at the first start create 200 customers, reviews, and two weeks of deliveries
  --real-limits    use the limits of production, to try a 429; otherwise they are a thousand times higher
  --state <dir>    keep data, keys and logs in this directory instead of .local
  --help           show this text

Settings are environment variables, or lines of a file named .env; .env.example lists them. The most used:

  PBO_PORT         port of the gateway, 3000 when unset, 0 for any free one
  PBO_MONGODB_URI  use this MongoDB replica set instead of starting one (or PBO_MONGODB_HOSTS)
  PBO_NATS_URL     use this NATS server (with JetStream) instead of starting one
  PBO_S3_ENDPOINT  use this S3 API instead of starting one
`;

export function parseOptions(args: readonly string[], defaultState: string) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h", default: false },
      watch: { type: "boolean", default: false },
      verbose: { type: "boolean", short: "v", default: false },
      "demo-data": { type: "boolean", default: false },
      "real-limits": { type: "boolean", default: false },
      state: { type: "string", default: defaultState },
    },
  });
  const { "demo-data": demoData, "real-limits": realLimits, ...others } = values;
  return { ...others, demoData, realLimits };
}
