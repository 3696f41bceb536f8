/** Operator commands for partners, their certificates and their customers. */
import { SCOPES } from "../../../shared/identity/caller.ts";
import { type Command, type CommandInput, fileOf, flag, type Row, required, textOf } from "../command.ts";

const columns = ["partnerId", "name", "clientId", "active", "onboardingApproved", "scopes", "createdAt"];
const id = { id: required("partner id", "the partner") };

export const partnerCommands: readonly Command[] = [
  {
    name: "partner create",
    summary: "Create a partner; it is active, and waits for approval unless --approved is given",
    options: {
      name: required("name", "the business name; the client id is made of it"),
      approved: flag("its own onboarding is approved immediately"),
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
    anonymous: true,
    summary: "List partners, newest first",
    options: {},
    columns,
    example: "partner list --json",
    run: async ({ call }) => (await call("auth-token.listPartners", {})).items,
  },
  forPartner(
    "sandbox",
    "Open the partner's sandbox: a test partner with its own API client; asking again shows it",
    (partnerId, { call }) => call("auth-token.createSandbox", { partnerId }),
    [...columns, "testOf"],
  ),
  forPartner(
    "approve",
    "Approve the partner's own onboarding: its people may use the dashboard",
    (partnerId, { call }) => call("auth-token.approvePartner", { partnerId }),
  ),
  {
    name: "partner scopes",
    summary:
      "Set the scopes of the partner's API client; existing tokens stay valid for at most five minutes",
    options: {
      ...id,
      scopes: required(
        "scopes",
        `${SCOPES.join(",")}, or one of them; with partner.read alone the client is read-only`,
      ),
    },
    columns,
    example: "partner scopes --id <partner id> --scopes partner.read",
    run: (input) =>
      input.call("auth-token.setClientScopes", {
        partnerId: textOf(input, "id"),
        scopes: textOf(input, "scopes").split(","),
      }),
  },
  forPartner("activate", "Let an inactive partner, and its sandbox, work again", (partnerId, { call }) =>
    call("auth-token.setPartnerActive", { partnerId, active: true }),
  ),
  forPartner(
    "deactivate",
    "Refuse tokens and dashboard writes of the partner and its sandbox, and stop webhooks and upload links, within seconds",
    (partnerId, { call }) => call("auth-token.setPartnerActive", { partnerId, active: false }),
  ),
  {
    name: "certificate register",
    summary: "Register a partner's certificate; creates the API client if no active one exists",
    options: {
      partner: required("partner id", "the partner"),
      file: required("file", "PEM file with one X.509 certificate"),
    },
    columns: ["id", "clientId", "status", "createdAt"],
    example: "certificate register --partner <partner id> --file certificate.pem",
    run: (input) =>
      input.call("auth-token.registerCertificate", {
        partnerId: textOf(input, "partner"),
        certificate: fileOf(input, "file"),
      }),
  },
];

function forPartner(
  verb: string,
  summary: string,
  run: (partnerId: string, input: CommandInput) => Promise<Row>,
  shown: readonly string[] = columns,
): Command {
  return {
    name: `partner ${verb}`,
    summary,
    options: id,
    columns: shown,
    example: `partner ${verb} --id <partner id>`,
    run: (input) => run(textOf(input, "id"), input),
  };
}

export const customerCommand: Command = {
  name: "customer erase",
  summary: "Erase a customer at its partner's request: its data and files go, ids and dates stay",
  options: {
    customer: required("customer id", "the customer"),
    partner: required("partner id", "the partner that asked for it; another partner's customer is refused"),
    reason: required("reference", "the number of the partner's request; it is stored, so no free text"),
  },
  columns: ["customerId", "partnerId", "erasedAt", "finished"],
  example: "customer erase --customer <id> --partner <id> --operator eve --reason ticket-4711",
  run: (input) =>
    input.call("profile.eraseCustomer", {
      customerId: textOf(input, "customer"),
      partnerId: textOf(input, "partner"),
      operator: textOf(input, "operator"),
      reason: textOf(input, "reason"),
    }),
};
