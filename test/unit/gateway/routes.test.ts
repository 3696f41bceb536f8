import { describe, expect, test } from "@jest/globals";
import type { Route } from "../../../gateway/route.ts";
import { WITHDRAWN_ROUTES } from "../../../gateway/routes/withdrawn.ts";
import { ROUTES, routeProblems } from "../../../gateway/routes.ts";
import { ACTIONS } from "../../../shared/actions.ts";
import type { ServiceName } from "../../../shared/config/config.ts";

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
  doc: { summary: "Make a thing" },
};
const wrong = (change: object) => routeProblems([{ ...good, ...change } as Route]);

describe("routeProblems", () => {
  test("of the real table: none", () => {
    expect(routeProblems(ROUTES)).toEqual([]);
  });

  test("of a good row: none", () => {
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
    ["a person's route without roles", { auth: "user", scope: undefined }, /names no role/],
    [
      "a person's route with no role in its list",
      { auth: "user", scope: undefined, roles: [] },
      /names no role/,
    ],
    ["a write with the scope to read", { scope: "partner.read" }, /writes with the scope partner.read/],
    ["a partner's route without a limit", { limit: "none" }, /has no rate limit/],
  ])("%s: named", (_, change, problem) => {
    expect(wrong(change).join("; ")).toMatch(problem);
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

  test.each(named.filter(([, route]) => route.auth === "user"))(
    "%s: a Viewer may read and not change",
    (_, { method, roles }) => {
      expect(roles?.includes("Viewer")).toBe(method === "GET");
      expect(roles).toEqual(expect.arrayContaining(["Owner", "Developer"]));
      expect(roles).not.toContain("Analyst");
    },
  );

  test("open to everybody: only the token endpoint and its documents, the login and the ping", () => {
    expect(named.filter(([, route]) => route.auth === "none").map(([name]) => name)).toEqual([
      "POST /oauth2/token",
      "GET /oauth2/jwks",
      "GET /.well-known/oauth-authorization-server",
      "POST /api/customer/v1/session",
      "GET /api/ping",
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
    for (const { methods, path } of WITHDRAWN_ROUTES)
      for (const method of methods) expect(served).not.toContain(shape(`${method} ${path}`));
  });
});
