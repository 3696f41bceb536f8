/**
 * Resolves host names by asking name servers directly. Not getaddrinfo: it blocks one of four threads of the process
 * until the name server answers, so one partner's broken zone would delay all others.
 */
import { Resolver as DnsResolver } from "node:dns/promises";
import { withDeadline } from "../deadline.ts";
import type { Resolver } from "./webhook-url.ts";

const TRIES = 2;

type Options = {
  timeoutMs: number;
  /** Used instead of the machine's own, so that internal names cannot be resolved at all. */
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
