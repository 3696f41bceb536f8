/** The route table: access, operations of the contract, and rows that no type checks. */
import { describe, expect, test } from "@jest/globals";
import type { Route } from "../../../gateway/route.ts";
import { ROUTES } from "../../../gateway/routes.ts";
import { mayCall } from "../../../shared/contract/actions.ts";
import { ADMITTED } from "../../support/builders/refused-callers.ts";

/** Run by the compiler: each directive is an error of its own once the row below it is allowed. */
test("the type of a row refuses rows that would open a route", () => {
  const rest = {
    path: "/api/x",
    action: "profile.create",
    body: "json",
    envelope: "partner",
    tag: "X",
  } as const;
  const read = { ...rest, method: "GET", limit: "read" } as const;
  const wrongRows: Route[] = [
    // @ts-expect-error a write needs the scope to write
    { ...rest, auth: "partner", method: "POST", scope: "partner.read", limit: "write" },
    // @ts-expect-error a partner's route counts against a budget
    { ...rest, auth: "partner", method: "GET", scope: "partner.read", limit: "none" },
    // @ts-expect-error a partner's route needs a scope
    { ...read, auth: "partner" },
    // @ts-expect-error an unknown auth kind
    { ...read, auth: "parnter" },
    // @ts-expect-error a person's route names who may
    { ...read, auth: "user" },
    // @ts-expect-error at least one role
    { ...read, auth: "user", roles: [] },
    // @ts-expect-error a scope means nothing for a person
    { ...read, auth: "analyst", scope: "partner.read" },
    // @ts-expect-error an action that does not exist
    { ...read, auth: "analyst", action: "profile.nothing" },
  ];
  expect(wrongRows).toHaveLength(8);
});

describe("the table of access", () => {
  test.each(ADMITTED.filter(([, { anyone }]) => !anyone))(
    "%s: admits callers of its routes, and no other",
    (action, row) => {
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
    },
  );

  test("an open route calls an action that admits anyone", () => {
    const admitted = new Map(ADMITTED);
    for (const { action, auth } of ROUTES)
      expect([action, admitted.get(action)?.anyone ?? false]).toEqual([action, auth === "none"]);
  });
});

const shape = (text: string) => text.replaceAll(/:\w+/g, ":");

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

  test("each action can be called by the gateway, and no address is listed twice", () => {
    expect(named.filter(([, { action }]) => !mayCall("gateway", action))).toEqual([]);
    expect(new Set(named.map(([name]) => shape(name))).size).toBe(named.length);
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

  test("only shortly after signing in: what changes a URL, secret, certificate, team, second factor or country", () => {
    const fresh = named.filter(([, route]) => route.fresh).map(([, route]) => route.action.split(".")[1]);
    expect(fresh.sort()).toEqual([
      "addCertificate",
      "beginSecondFactor",
      "changeConfig",
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

  test("the same answer for all: only open reads", () => {
    const shared = named.filter(([, { sameForAll }]) => sameForAll);
    expect(new Set(shared.map(([, { auth, method }]) => `${auth} ${method}`))).toEqual(new Set(["none GET"]));
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
});
