/** Operator commands for the audit trail. */
import type { AuditLinks, ChainHead } from "../../../shared/contract/actions/audit.ts";
import { type ChainReport, createChainCheck } from "../../../shared/stores/audit-chain.rules.ts";
import { CheckFailed, type Command, type CommandInput, fileOf, optional, textOf } from "../command.ts";

const TRAILS = {
  "auth-token": "auth-token.auditLinks",
  profile: "profile.auditLinks",
  "webhook-registry": "webhook-registry.auditLinks",
  delivery: "delivery.auditLinks",
} as const;
type Trail = keyof typeof TRAILS;
type TrailReport = ChainReport & { trail: string };

const DAY_MS = 86_400_000;
/** Chains of other processes are compared up to a minute before the newest entry that is read. */
const SETTLED_BEFORE_MS = 3 * 60_000;
const MAX_SHOWN = 20;

export const auditCommands: readonly Command[] = [
  {
    name: "audit list",
    summary: "List who did what, newest first, from the trails of all services",
    options: {
      partner: optional("partner id", "only entries about this partner"),
      before: optional("entry id", "only entries before this one"),
    },
    columns: ["id", "at", "who", "from", "action", "subject", "requestId"],
    example: "audit list --partner <partner id> --operator grace",
    async run(input) {
      const query = { partnerId: textOf(input, "partner"), cursor: textOf(input, "before"), pageSize: "200" };
      const request = { params: {}, query, body: undefined, headers: { ifMatch: null } };
      const { items } = await input.call("auth-token.listAudit", request);
      return items.map((entry) => ({
        ...entry,
        who: `${entry.who.kind} ${entry.who.email ?? entry.who.id}`,
      }));
    },
  },
  {
    name: "audit verify",
    anonymous: true,
    summary: "Find entries older than two minutes that were removed, changed, inserted or moved",
    options: {
      known: optional("file", "output of an earlier run with --json: entries of that time must still exist"),
    },
    columns: ["trail", "entries", "chains", "unsealed"],
    example: "audit verify --json > verified.json",
    async run(input) {
      const known = knownHeads(input);
      const reports: TrailReport[] = [];
      for (const trail of Object.keys(TRAILS) as Trail[])
        reports.push({ trail, ...(await verify(input, trail, known[trail] ?? [])) });
      const problems = reports.flatMap((report) => report.problems.map((text) => `${report.trail}: ${text}`));
      if (problems.length > 0) throw new CheckFailed("AuditTrail.Broken", broken(problems));
      return reports.map(({ problems: _, ...report }) => ({ ...report, chains: report.heads.length }));
    },
  },
];

async function verify(
  { call }: CommandInput,
  trail: Trail,
  known: readonly ChainHead[],
): Promise<ChainReport> {
  const now = Date.now();
  let check: ReturnType<typeof createChainCheck> | null = null;
  let after: string | null = null;
  do {
    const page: AuditLinks = await call(TRAILS[trail], { after });
    check ??= createChainCheck({
      expiredBefore: now - page.retentionDays * DAY_MS,
      settledBefore: now - SETTLED_BEFORE_MS,
      known,
    });
    for (const link of page.links) check.take(link);
    after = page.next;
  } while (after !== null);
  return check.finish();
}

function knownHeads(input: CommandInput): Record<string, readonly ChainHead[]> {
  if (textOf(input, "known") === "") return {};
  const reports = JSON.parse(fileOf(input, "known")) as TrailReport[];
  return Object.fromEntries(reports.map(({ trail, heads }) => [trail, heads]));
}

function broken(problems: readonly string[]): string {
  const more = problems.length - MAX_SHOWN;
  return [
    "The audit trail was changed after it was written.",
    ...problems.slice(0, MAX_SHOWN),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n  ");
}
