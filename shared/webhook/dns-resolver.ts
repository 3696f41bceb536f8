/**
 * Names to addresses over the network's name servers. Not getaddrinfo: it holds one of four threads of the process
 * for as long as a name server keeps silent, so that one partner's broken zone would delay every other partner.
 */
import { Resolver as DnsResolver } from "node:dns/promises";
import { withDeadline } from "../deadline.ts";
import type { Resolver } from "./webhook-url.ts";

const TRIES = 2;

type Options = {
  timeoutMs: number;
  /** Instead of the machine's own, so that names of the inner network need not be visible here at all. */
  servers?: readonly string[];
};

export function createDnsResolver({ timeoutMs, servers = [] }: Options): Resolver {
  const dns = new DnsResolver({ timeout: Math.ceil(timeoutMs / (TRIES + 1)), tries: TRIES });
  if (servers.length > 0) dns.setServers(servers);
  return {
    async resolve(host) {
      const answers = await Promise.allSettled([
        withDeadline(dns.resolve4(host), timeoutMs),
        withDeadline(dns.resolve6(host), timeoutMs),
      ]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const [first] = answers;
      if (addresses.length === 0 && first?.status === "rejected") throw first.reason;
      return addresses;
    },
  };
}
