/** The order of rows and the envelope of unknown addresses; spellings are in test/integration/gateway. */
import { describe, expect, test } from "@jest/globals";
import { createRouter } from "../../../gateway/router.ts";
import { PAGES, ROUTES } from "../../../gateway/routes.ts";

const router = createRouter([...ROUTES, ...PAGES]);
const pathOf = (method: string, target: string) => router.find(method, target).row.path;

describe("find", () => {
  test.each([
    ["/api/compliance/v1/cases/counts", "/api/compliance/v1/cases/counts"],
    ["/api/compliance/v1/cases/counts/", "/api/compliance/v1/cases/counts"],
    ["/api/compliance/v1/cases/count", "/api/compliance/v1/cases/:customerId"],
    ["/dashboard/assets/app.js", "/dashboard/*file"],
  ])("a name comes before a parameter: %s", (target, path) => {
    expect(pathOf("GET", target)).toBe(path);
  });

  test("the rest of an address is one parameter", () => {
    expect(router.find("GET", "/dashboard/a/b%2F/c").found.params).toEqual({ file: "a/b//c" });
  });

  test("a dot in a row is only a dot", () => {
    expect(() => pathOf("GET", "/xwell-known/oauth-authorization-server")).toThrow("does not exist");
  });

  test("a query with the names of prototypes changes no prototype", () => {
    const { query } = router.find(
      "GET",
      "/api/ping?__proto__=1&toString=2&constructor[prototype][x]=3",
    ).found;
    expect(Object.keys(query)).toEqual(["__proto__", "toString", "constructor"]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe("the envelope of an unknown address", () => {
  test.each([
    ["/", "partner"],
    ["/nothing", "partner"],
    ["/api/nothing", "partner"],
    ["/api/customer/v1/nothing", "partner"],
    ["/api/customer/v1/session/nothing?a=/oauth2", "dashboard"],
    ["/api/customer/v1/partner-profile", "dashboard"],
    ["/api/customer/v1/onboarding/nothing", "partner"],
    ["/api/compliance/v9/cases", "dashboard"],
    ["/oauth2/nothing", "plain"],
    ["/.well-known/security.txt", "plain"],
    ["*", "partner"],
  ])("%s: %s", (target, envelope) => {
    expect(router.envelopeNear(target)).toBe(envelope);
  });
});
