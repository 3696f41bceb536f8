/** Operator commands for partners. */
import { SCOPES } from "../../../shared/identity/caller.ts";
import { type Command, textOf } from "../command.ts";

const columns = ["partnerId", "name", "clientId", "active", "onboardingApproved", "scopes", "createdAt"];
const id = { id: { type: "string", required: true, value: "partner id", help: "the partner" } } as const;

export const partnerCommands: readonly Command[] = [
  {
    name: "partner create",
    summary: "Create a partner; it is active, and waits for approval unless --approved is given",
    options: {
      name: {
        type: "string",
        required: true,
        value: "name",
        help: "the business name; the client id is made of it",
      },
      approved: { type: "boolean", help: "its own onboarding is approved at once" },
    },
    columns,
    example: 'partner create --name "Acme Trading Ltd" --approved',
    run: (input) =>
      input.call("auth-token.createPartner", {
        name: textOf(input, "name"),
        approved: input.options.approved === true,
      }),
  },
  {
    name: "partner list",
    reads: true,
    summary: "List partners, newest first",
    options: {},
    columns,
    example: "partner list --json",
    run: async ({ call }) => (await call("auth-token.listPartners", {})).items,
  },
  {
    name: "partner sandbox",
    summary: "Open the partner's sandbox: a test partner with its own API client; asking again shows it",
    options: id,
    columns: [...columns, "testOf"],
    example: "partner sandbox --id <partner id>",
    run: (input) => input.call("auth-token.createSandbox", { partnerId: textOf(input, "id") }),
  },
  {
    name: "partner approve",
    summary: "Approve the partner's own onboarding: its people may use the dashboard",
    options: id,
    columns,
    example: "partner approve --id <partner id>",
    run: (input) => input.call("auth-token.approvePartner", { partnerId: textOf(input, "id") }),
  },
  {
    name: "partner scopes",
    summary: "Say what the partner's API client may do; tokens it has live on, five minutes at most",
    options: {
      ...id,
      scopes: {
        type: "string",
        required: true,
        value: "scopes",
        help: `${SCOPES.join(",")}, or one of them; with partner.read alone the client is read-only`,
      },
    },
    columns,
    example: "partner scopes --id <partner id> --scopes partner.read",
    run: (input) =>
      input.call("auth-token.setClientScopes", {
        partnerId: textOf(input, "id"),
        scopes: textOf(input, "scopes").split(","),
      }),
  },
  ...(["activate", "deactivate"] as const).map(
    (verb): Command => ({
      name: `partner ${verb}`,
      summary:
        verb === "activate"
          ? "Let an inactive partner, and its sandbox, work again"
          : "Refuse the partner's tokens and dashboard writes, and stop its webhooks and upload links, within seconds; its sandbox's, too",
      options: id,
      columns,
      example: `partner ${verb} --id <partner id>`,
      run: (input) =>
        input.call("auth-token.setPartnerActive", {
          partnerId: textOf(input, "id"),
          active: verb === "activate",
        }),
    }),
  ),
];
