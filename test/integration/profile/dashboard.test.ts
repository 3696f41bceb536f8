/** Customers and cases as the dashboard reads them, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { type ApiStage, PROFILES, startApiStage } from "../../support/stage/api-stage.ts";
import type { Value } from "../../support/stage/profile-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const CUSTOMERS = "/api/customer/v1/partner-profile/customers";

let stage: ApiStage;
let viewer: string;
let analyst: string;
beforeAll(async () => {
  stage = await startApiStage();
  const { partnerId } = stage.partner;
  viewer = await stage.auth.cookie(await stage.auth.user(partnerId, "Viewer"));
  analyst = await stage.analystCookie();
});
afterAll(() => stage.stop());

describe("customers for a partner's people", () => {
  test("a Viewer reads what the partner's token reads, in the dashboard's envelope", async () => {
    const { customerId, partnerCustomerId } = await stage.create(aSmallProfile());
    for (const path of [`/${customerId}`, `/${customerId}/verification-status`]) {
      const answer = await stage.send("GET", CUSTOMERS + path, { cookie: viewer });
      const asPartner = await stage.value("GET", `/api/partner/v1/business-profiles${path}`);
      expect(answer.body).toEqual({ value: asPartner, isSuccess: true, error: null });
      expect(answer.headers.get("etag")).toBe('"1"');
    }
    const found = await stage.value("GET", `${CUSTOMERS}/by-reference/${partnerCustomerId}`, {
      cookie: viewer,
    });
    expect(found).toMatchObject({ customerId, businessPersonList: expect.any(Array) });
    const list = await stage.value("GET", `${CUSTOMERS}?partnerCustomerId=${partnerCustomerId}`, {
      cookie: viewer,
    });
    expect(list).toMatchObject({ total: 1, items: [{ customerId }] });
  });

  test("of another partner, of an analyst and of a token: refused", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const other = await stage.auth.partner("Other Partner Ltd");
    const stranger = await stage.auth.cookie(await stage.auth.user(other.partnerId, "Owner"));
    const path = `${CUSTOMERS}/${customerId}`;
    expect(await stage.send("GET", path, { cookie: stranger })).toMatchObject({
      status: 403,
      body: { value: null, error: { code: "Partner.NotAuthorized" } },
    });
    expect(await stage.value("GET", CUSTOMERS, { cookie: stranger })).toMatchObject({ total: 0 });
    for (const wish of [{ cookie: analyst }, {}])
      expect(await stage.send("GET", path, wish)).toMatchObject({
        status: 401,
        body: { error: { code: "Partner.NotAuthenticated" } },
      });
  });
});
