/** The route table, and what keeps a wrong one from being served. */
import { describe, expect, test } from "@jest/globals";
import type { Route } from "../../../gateway/route.ts";
import { routeProblems } from "../../../gateway/route-problems.ts";
import { ROUTES } from "../../../gateway/routes.ts";
import { WITHDRAWN_ROUTES } from "../../../gateway/withdrawn.ts";
import type { ServiceName } from "../../../shared/config/config.ts";
import { ACTIONS } from "../../../shared/contract/actions.ts";
import { ACTION_ACCESS, type Admitted } from "../../../shared/moleculer/action-access.rules.ts";

const good: Route = {
  method: "POST",
  path: "/api/partner/v1/things",
  action: "profile.create",
  auth: "partner",
  scope: "partner.write",
  limit: "write",
  body: "json",
  envelope: "partner",
  tag: "Things",
};
const wrong = (change: object) => routeProblems([{ ...good, ...change } as Route]);

describe("routeProblems", () => {
  test("the real table has no problems", () => {
    expect(routeProblems(ROUTES)).toEqual([]);
  });

  test("a good row has no problems", () => {
    expect(routeProblems([good])).toEqual([]);
  });

  test.each<[string, object, RegExp]>([
    ["an action that does not exist", { action: "profile.nothing" }, /names the action profile.nothing/],
    [
      "an action of Object.prototype",
      { action: "profile.constructor" },
      /names the action profile.constructor/,
    ],
    ["no action", { action: undefined }, /names the action/],
    ["an unknown auth kind", { auth: "parnter" }, /declares no known auth kind/],
    ["no auth kind", { auth: undefined, scope: undefined }, /declares no known auth kind/],
    [
      "an auth kind of Object.prototype",
      { auth: "constructor", scope: undefined },
      /declares no known auth kind/,
    ],
    ["a partner's route without a scope", { scope: undefined }, /needs a scope/],
    ["an unknown scope", { scope: "partner.admin" }, /needs a scope/],
    ["a scope on a route for people", { auth: "user", roles: ["Owner"] }, /needs a scope/],
  ])("%s: named", (_, change, problem) => {
    expect(wrong(change).join("; ")).toMatch(problem);
  });

  test.each<[string, object, string]>([
    [
      "people",
      { auth: "user", roles: ["Owner", "Viewer"], scope: undefined, action: "webhook-registry.rotateSecret" },
      "Viewer",
    ],
    [
      "an Owner",
      { auth: "user", roles: ["Owner"], scope: undefined, action: "profile.approveCase" },
      "Owner",
    ],
    ["clients", { action: "webhook-registry.register" }, "clients with partner.write"],
    [
      "clients that only read",
      { method: "GET", scope: "partner.read", action: "profile.create" },
      "clients with partner.read",
    ],
    ["analysts", { auth: "analyst", scope: undefined, action: "auth-token.listTeam" }, "analysts"],
    [
      "everybody who is signed in",
      { auth: "session", scope: undefined, action: "auth-token.revokeCredential" },
      "Viewer",
    ],
    ["anybody", { auth: "none", scope: undefined, action: "profile.list" }, "anybody"],
  ])("a row that opens an action to %s whom it does not admit: named", (_, change, whom) => {
    expect(wrong(change)).toContainEqual(expect.stringContaining(`is open to ${whom}, whom `));
  });

  test("the same method and path twice, also under another parameter name: named", () => {
    const one = { ...good, path: "/api/x/:id" };
    expect(routeProblems([one, one])).toEqual(["POST /api/x/:id stands twice"]);
    expect(routeProblems([one, { ...one, path: "/api/x/:other" }])).toEqual([
      "POST /api/x/:other stands twice",
    ]);
    expect(routeProblems([one, { ...one, method: "PUT" }])).toEqual([]);
  });

  test("every problem of every row at once", () => {
    const rows = [
      { ...good, action: "a.b" },
      { ...good, path: "/y", auth: "x", scope: undefined },
    ] as unknown as Route[];
    expect(routeProblems(rows)).toHaveLength(2);
  });
});

/** Run by the compiler: each directive is an error of its own once the row below it is allowed. */
describe("the type of a row", () => {
  const { auth: _auth, scope: _scope, limit: _limit, method: _method, ...rest } = good;
  const read = { ...rest, method: "GET", limit: "read" } as const;

  test("refuses what would open a route", () => {
    const wrongRows: Route[] = [
      // @ts-expect-error a write needs the scope to write
      { ...rest, auth: "partner", method: "POST", scope: "partner.read", limit: "write" },
      // @ts-expect-error a partner's route counts against a budget
      { ...rest, auth: "partner", method: "GET", scope: "partner.read", limit: "none" },
      // @ts-expect-error a partner's route needs a scope
      { ...read, auth: "partner" },
      // @ts-expect-error a person's route names who may
      { ...read, auth: "user" },
      // @ts-expect-error at least one role
      { ...read, auth: "user", roles: [] },
      // @ts-expect-error a scope means nothing for a person
      { ...read, auth: "analyst", scope: "partner.read" },
      // @ts-expect-error an action that does not exist
      { ...read, auth: "analyst", action: "profile.nothing" },
    ];
    expect(routeProblems(wrongRows.slice(2, 3))).toEqual([
      "GET /api/partner/v1/things needs a scope exactly when partners call it",
    ]);
  });
});

describe("the table of access", () => {
  const admitting = Object.entries(ACTION_ACCESS).filter(([, { anyone }]: [string, Admitted]) => !anyone);

  test.each(admitting)("%s: admits callers of its routes, and no other", (action, row: Admitted) => {
    const routes = ROUTES.filter((route) => route.action === action);
    const signedIn = routes.some(({ auth }) => auth === "session");
    const people = signedIn
      ? ["Owner", "Developer", "Viewer"]
      : [...new Set(routes.flatMap(({ roles = [] }) => [...roles]))];
    const [client] = routes.flatMap(({ scope = [] }) => scope);
    expect({
      client,
      people: new Set(people),
      analysts: signedIn || routes.some(({ auth }) => auth === "analyst"),
    }).toEqual({
      client: row.client,
      people: new Set(row.people ?? []),
      analysts: row.analysts ?? false,
    });
  });
});

describe("the route table", () => {
  const named = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

  test("has every operation of the contract", () => {
    const profiles = "/api/partner/v1/business-profiles";
    const webhooks = "/api/customer/v1/partner-profile/webhooks";
    const wanted = [
      `POST ${profiles}`,
      `PUT ${profiles}/:businessProfileId`,
      `PATCH ${profiles}/:customerId`,
      `GET ${profiles}`,
      `GET ${profiles}/:customerId`,
      `GET ${profiles}/by-reference/:partnerCustomerId`,
      `GET ${profiles}/:customerId/verification-status`,
      `POST ${profiles}/:customerId/documents/upload-link`,
      "GET /api/customer/v1/onboarding/ubo-identity-requirements",
      "GET /api/customer/v1/onboarding/business-types",
      `GET ${webhooks}`,
      `POST ${webhooks}`,
      `PUT ${webhooks}`,
      `POST ${webhooks}/rotate-secret`,
      `POST ${webhooks}/enable`,
      `GET ${webhooks}/deliveries`,
      `GET ${webhooks}/deliveries/:deliveryId`,
      `POST ${webhooks}/deliveries/:deliveryId/replay`,
      `POST ${webhooks}/replay`,
      `POST ${webhooks}/test`,
      `GET ${webhooks}/event-types`,
      "POST /oauth2/token",
      "GET /oauth2/jwks",
      "GET /.well-known/oauth-authorization-server",
      ...["POST", "GET", "DELETE"].map((method) => `${method} /api/customer/v1/session`),
    ];
    expect(named.map(([name]) => name)).toEqual(expect.arrayContaining(wanted));
  });

  test.each(named)("%s: the gateway may call its action", (_, { action }) => {
    const [service, name] = action.split(".") as [ServiceName, string];
    expect((ACTIONS[service] as Record<string, readonly string[]>)[name]).toContain("gateway");
  });

  test.each(named.filter(([, route]) => route.auth === "partner"))(
    "%s: reading needs partner.read, everything else partner.write",
    (_, { method, scope, limit }) => {
      expect(scope).toBe(method === "GET" ? "partner.read" : "partner.write");
      expect(limit).toBe(method === "GET" ? "read" : "write");
    },
  );

  test("the team is for Owners alone", () => {
    const team = named.filter(([name]) => name.includes("/partner-profile/team"));
    expect(team.length).toBeGreaterThan(3);
    for (const [, { roles }] of team) expect(roles).toEqual(["Owner"]);
  });

  test("the audit trail is for Owners alone, and read only", () => {
    const audit = named.filter(([name]) => name.endsWith("/partner-profile/audit"));
    expect(audit.map(([, { method, roles }]) => [method, roles])).toEqual([["GET", ["Owner"]]]);
  });

  test("a sandbox is opened by an Owner, and seen by everybody of the partner", () => {
    const sandbox = named.filter(([name]) => name.endsWith("/partner-profile/sandbox"));
    expect(sandbox.map(([, { method, roles }]) => [method, roles])).toEqual([
      ["GET", ["Owner", "Developer", "Viewer"]],
      ["POST", ["Owner"]],
    ]);
  });

  const ofOwners = /\/team|\/audit$|\/sandbox$/;
  test.each(named.filter(([name, route]) => route.auth === "user" && !ofOwners.test(name)))(
    "%s: a Viewer may read and not change",
    (_, { method, roles }) => {
      expect(roles?.includes("Viewer")).toBe(method === "GET");
      expect(roles).toEqual(expect.arrayContaining(["Owner", "Developer"]));
      expect(roles).not.toContain("Analyst");
    },
  );

  test("open to everybody: only the token endpoint and its documents, the login, an invitation and the ping", () => {
    expect(named.filter(([, route]) => route.auth === "none").map(([name]) => name)).toEqual([
      "POST /oauth2/token",
      "GET /oauth2/jwks",
      "GET /.well-known/oauth-authorization-server",
      "POST /api/customer/v1/session",
      "POST /api/customer/v1/session/invitation",
      "GET /api/ping",
    ]);
  });

  test("only the sign-in reads a session that it does not need, and is counted as a sign-in", () => {
    const namesOf = (wanted: (route: (typeof named)[number][1]) => unknown) =>
      named.filter(([, route]) => wanted(route)).map(([name]) => name);
    const signIn = ["POST /api/customer/v1/session"];
    expect(namesOf(({ optionalSession }) => optionalSession)).toEqual(signIn);
    expect(namesOf(({ limit }) => limit === "login")).toEqual(signIn);
  });

  test("only shortly after signing in: what changes the URL, a secret, a certificate, the team or the second factor", () => {
    const fresh = named.filter(([, route]) => route.fresh).map(([, route]) => route.action.split(".")[1]);
    expect(fresh.sort()).toEqual([
      "addCertificate",
      "beginSecondFactor",
      "changeMemberRole",
      "createCredential",
      "disableMember",
      "enableMember",
      "endMemberSessions",
      "invitePerson",
      "register",
      "removeCertificate",
      "removeSecondFactor",
      "replace",
      "revokeCredential",
      "rotateSecret",
      "withdrawInvitation",
    ]);
  });

  test("readable for an inactive partner: only the event catalogue", () => {
    expect(named.filter(([, route]) => route.openToInactivePartner).map(([, route]) => route.action)).toEqual(
      ["delivery.eventTypes"],
    );
  });

  test("deliveries, replay and test have the dispatcher's own code for a service that is away", () => {
    const urgent = named.filter(([, route]) => route.unavailableCode).map(([, route]) => route.action);
    expect(urgent).toEqual(
      expect.arrayContaining([
        "delivery.listDeliveries",
        "delivery.getDelivery",
        "delivery.replayDelivery",
        "delivery.replayWindow",
        "delivery.sendTest",
      ]),
    );
  });

  test("no withdrawn operation is served", () => {
    const shape = (text: string) => text.replaceAll(/:\w+/g, ":");
    const served = new Set(named.map(([name]) => shape(name)));
    for (const { method, path } of WITHDRAWN_ROUTES) expect(served).not.toContain(shape(`${method} ${path}`));
  });
});
