import { beforeAll, describe, expect, test } from "@jest/globals";
import { requestFilter } from "../../../services/auth-token/request-log/request-log.repository.ts";
import { orderedId } from "../../../shared/ids.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { PROFILES, startApiStage } from "../../support/stage/api-stage.ts";
import type { Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const CUSTOMERS = "/api/customer/v1/partner-profile/customers";

const stage = stageOfFile(startApiStage);
let viewer: string;
let analyst: string;
beforeAll(async () => {
  const { partnerId } = stage.partner;
  viewer = await stage.auth.cookie(await stage.auth.user(partnerId, "Viewer"));
  analyst = await stage.analystCookie();
});

describe("vocabularies", () => {
  const VOCABULARIES = "/api/customer/v1/vocabularies";

  test("are for every signed-in user, and sent once while they stay the same", async () => {
    const first = await stage.send("GET", VOCABULARIES, { cookie: viewer });
    expect(first.body.value).toMatchObject({
      reasonCodes: expect.arrayContaining(["Document.Unreadable"]),
      targets: expect.arrayContaining([
        { kind: "Business", fields: expect.arrayContaining(["companyName"]) },
      ]),
      countries: expect.arrayContaining([{ code: "NGA", name: "Nigeria", residentsAccepted: true }]),
    });
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const again = (tag: string, cookie = analyst) =>
      stage.auth.request(VOCABULARIES, { headers: { Cookie: cookie, "If-None-Match": tag } });
    for (const tag of [etag, `"other", W/${etag}`, "*"]) {
      const answer = await again(tag);
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await again('"other"')).status).toBe(200);
    expect((await again(etag, "none=1")).status).toBe(401);
    expect(await stage.send("GET", VOCABULARIES)).toMatchObject({ status: 401 });
    const configs = "/api/compliance/v1/onboarding-configs/NGA";
    const change = (active: boolean) =>
      stage.value("PUT", configs, { cookie: analyst, body: { active, reason: "test" } });
    await change(false);
    const changed = await again(etag);
    expect([changed.status, changed.text]).toEqual([
      200,
      expect.stringContaining('"name":"Nigeria","residentsAccepted":false'),
    ]);
    await change(true);
  });
});

describe("the request log", () => {
  const LOG = "/api/customer/v1/partner-profile/request-log";
  const read = async (query = "") => await stage.value("GET", LOG + query, { cookie: viewer });

  test("shows a Viewer what the API client asked and why it was refused; no body, no value, no id", async () => {
    const secret = "Canary Holdings";
    await stage.create(aSmallProfile({ companyName: secret }));
    const body = aSmallProfile({ companyName: secret, email: "canary at example" });
    const refused = await stage.send("POST", PROFILES, { body });
    const unknown = await stage.send("GET", `${PROFILES}/0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e`);
    const ids = [refused, unknown].map(({ headers }) => headers.get("svc-request-id"));
    const items = await waitFor(async () => {
      const found = (await read("?failed=true")).items as Value[];
      return ids.every((id) => found.some(({ requestId }) => requestId === id)) && found;
    }, "the log to have both");
    expect(items.slice(0, 2)).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        method: "GET",
        route: `${PROFILES}/{businessProfileId}`,
        status: 404,
        code: "Customer.NotFound",
        fields: [],
        requestId: ids[1],
        durationMs: expect.any(Number),
      },
      expect.objectContaining({ method: "POST", status: 400, fields: ["email"], requestId: ids[0] }),
    ]);
    const all = await read("?pageSize=200");
    expect(all.items.map(({ status }: Value) => status)).toContain(200);
    expect(all.dropped).toBe(0);
    expect(JSON.stringify(all)).not.toMatch(/canary|5f2c1a6b4d3e/i);
    const first = await read("?pageSize=1");
    const second = await read(`?pageSize=1&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual((await read("?pageSize=2")).items);
  });

  test("is of the own partner, for seven days; counts what was dropped; a dashboard request is in none", async () => {
    const other = await stage.auth.partner("Other Partner Ltd");
    const stranger = await stage.auth.cookie(await stage.auth.user(other.partnerId, "Owner"));
    expect(await stage.value("GET", LOG, { cookie: stranger })).toEqual({
      items: [],
      nextCursor: null,
      dropped: 0,
    });
    for (const wish of [{ cookie: analyst }, {}])
      expect(await stage.send("GET", LOG, wish)).toMatchObject({ status: 401 });
    for (const query of ["?cursor=x", "?failed=maybe", "?pageSize=0"])
      expect(await stage.send("GET", LOG + query, { cookie: viewer })).toMatchObject({ status: 400 });
    const tell = (count: number) =>
      stage.auth.gateway.broker.call("auth-token.recordRequests", {
        entries: [],
        dropped: [{ partnerId: other.partnerId, count }],
      });
    await tell(3);
    await tell(4);
    // Writes with w: 1 can be read once a majority of servers has them.
    const until = (is: (log: Value) => boolean, what: string) =>
      waitFor(async () => is(await stage.value("GET", LOG, { cookie: stranger })), what);
    await until(({ dropped }) => dropped === 7, "both counts");
    const request = {
      id: orderedId(stage.auth.clock.now()),
      partnerId: other.partnerId,
      at: new Date(stage.auth.clock.now()).toISOString(),
      method: "GET",
      route: PROFILES,
      status: 200,
      code: null,
      fields: [],
      requestId: "r",
      durationMs: 1,
    };
    await stage.auth.gateway.broker.call("auth-token.recordRequests", { entries: [request], dropped: [] });
    await until(({ items }) => items.length === 1 && items[0].id === request.id, "the request");
    const week = new Date(Date.now() - 7 * 86_400_000 - 60_000);
    for (const name of ["request_log", "request_log_dropped"])
      await stage.auth
        .database()
        .collection(name)
        .updateMany({ partnerId: other.partnerId }, { $set: { at: week } });
    await until(({ items, dropped }) => items.length === 0 && dropped === 0, "what is a week old to be gone");
  });

  test("is read by its index, filtered or not, and MongoDB removes what is old", async () => {
    const log = stage.auth.database().collection("request_log");
    for (const isFailed of [true, false]) {
      const filter = requestFilter({ partnerId: "p", isFailed, beforeId: "x" });
      const plan = await log
        .find(filter as never)
        .sort({ _id: -1 })
        .limit(50)
        .explain("queryPlanner");
      expect(JSON.stringify(plan)).not.toMatch(/"(COLLSCAN|SORT)"/);
    }
    expect(await log.indexes()).toContainEqual(
      expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 604_800 }),
    );
  });
});

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
    await stage.create(aSmallProfile());
    const list = await stage.value("GET", `${CUSTOMERS}?pageSize=1&partnerCustomerId=${partnerCustomerId}`, {
      cookie: viewer,
    });
    expect(list).toMatchObject({ total: 1, items: [{ customerId }] });
  });

  test("requests of another partner, of an analyst and without a session: refused", async () => {
    const { customerId } = await stage.create(aSmallProfile());
    const other = await stage.auth.partner("Other Partner Ltd");
    const stranger = await stage.auth.cookie(await stage.auth.user(other.partnerId, "Owner"));
    const path = `${CUSTOMERS}/${customerId}`;
    expect(await stage.send("GET", path, { cookie: stranger })).toMatchObject({
      status: 403,
      body: { value: null, error: { code: "Partner.NotAuthorized" } },
    });
    // A second page has the total as it was counted; an empty first one has 0 whatever was counted.
    const counted = await stage.value("GET", `${CUSTOMERS}?page=2&pageSize=1`, { cookie: stranger });
    expect(counted).toMatchObject({ total: 0, items: [] });
    expect(await stage.value("GET", CUSTOMERS, { cookie: stranger })).toMatchObject({ total: 0, items: [] });
    for (const wish of [{ cookie: analyst }, {}])
      expect(await stage.send("GET", path, wish)).toMatchObject({
        status: 401,
        body: { error: { code: "Partner.NotAuthenticated" } },
      });
  });
});
