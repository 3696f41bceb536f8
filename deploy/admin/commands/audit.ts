/** Operator commands for the audit trail. */
import { type Command, textOf } from "../command.ts";

export const auditCommands: readonly Command[] = [
  {
    name: "audit list",
    summary: "List who did what, newest first, from the trails of all services",
    options: {
      partner: { type: "string", value: "partner id", help: "only what concerns this partner" },
      before: { type: "string", value: "entry id", help: "only entries before this one" },
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
];
