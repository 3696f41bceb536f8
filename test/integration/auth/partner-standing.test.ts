/** A partner is deactivated or activated: its tokens, its sandbox, and the services that act for it. */
import { expect, test } from "@jest/globals";
import type { Partner } from "../../../services/auth-token/account/partner.model.ts";
import type { PartnerStanding } from "../../../shared/contract/actions/auth-token.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { type StagePartner, startAuthStage } from "../../support/stage/auth-stage.ts";
import { openStage } from "../../support/stage/stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const PROBED = "/api/customer/v1/onboarding/business-types";

/** Reports to the registry; the document service is away until a test starts it. */
const heard: PartnerStanding[] = [];
const on = openStage();
const hears = (name: string, list: PartnerStanding[]) => () => ({
  name,
  actions: {
    setPartnerStanding({ params }: { params: PartnerStanding }) {
      list.push(params);
      return null;
    },
  },
});
const stage = stageOfFile(async () => {
  await on.start("webhook-registry", [hears("webhook-registry", heard)]);
  return startAuthStage({}, { on });
});
const setActive = (active: boolean, { partnerId }: { partnerId: string }) =>
  stage.admin("partner", active ? "activate" : "deactivate", "--id", partnerId);
const tokenStatus = async (who: StagePartner) =>
  (await stage.tokenRequest(tokenForm(stage.assertion(who)))).status;

test("a deactivation is reported to the registry immediately and to the document service once it runs, and so is the way back", async () => {
  const gone = await stage.partner("Gone Ltd");
  await setActive(false, gone);
  const of = (list: PartnerStanding[]) => list.filter(({ partnerId }) => partnerId === gone.partnerId);
  // On a busy machine the sweep may report it once more.
  expect(of(heard)[0]).toMatchObject({ active: false, changedAt: expect.any(String) });

  const late: PartnerStanding[] = [];
  await on.start("document", [hears("document", late)]);
  await waitFor(() => of(late).length > 0, "the document service to be notified");
  expect(of(late)[0]).toMatchObject({ active: false });
  await setActive(true, gone);
  expect([of(heard).at(-1), of(late).at(-1)]).toMatchObject([{ active: true }, { active: true }]);
});

test("the sandbox of a deactivated partner: no token, no dashboard, the registry is notified; and all returns with it", async () => {
  const live = await stage.partner("Both Gone Ltd");
  const twin = await stage.sandbox(live);
  const cookie = await stage.cookieOfA("Owner", live.partnerId);
  const headers = { Authorization: `Bearer ${await stage.token(twin)}` };
  const sandboxed = async () => {
    const page = await stage.send("GET", CREDENTIALS, cookie, undefined, { "Svc-Sandbox": "true" });
    return [await tokenStatus(twin), page.status];
  };
  const told = () => heard.filter(({ partnerId }) => partnerId === twin.partnerId).at(-1);
  expect(await sandboxed()).toEqual([200, 200]);

  await setActive(false, live);
  expect(await sandboxed()).toEqual([401, 409]);
  expect(told()).toMatchObject({ active: false });
  await waitFor(async () => (await stage.request(PROBED, { headers })).status === 409, {
    what: "the token of the sandbox to be refused",
  });
  await expect(setActive(true, twin)).rejects.toThrow("Partner.Inactive");

  await setActive(true, live);
  expect(await sandboxed()).toEqual([200, 200]);
  expect(told()).toMatchObject({ active: true });
});

test("a sandbox that is deactivated alone: the live partner stays", async () => {
  const live = await stage.partner("Half Gone Ltd");
  const twin = await stage.sandbox(live);
  await setActive(false, twin);
  expect([await tokenStatus(twin), await tokenStatus(live)]).toEqual([401, 200]);
  expect(await setActive(true, twin)).toMatchObject({ active: true });
});

test("a deactivation while a sandbox is opened: in either order, no sandbox is active without its partner", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { partnerId } = await stage.partner(`Racing ${round} Ltd`);
    await Promise.allSettled([
      stage.admin("partner", "sandbox", "--id", partnerId),
      stage.admin("partner", "deactivate", "--id", partnerId),
    ]);
    const partners = stage.database().collection<Partner>("partners");
    expect(await partners.findOne({ _id: partnerId })).toMatchObject({ active: false });
    expect(await partners.findOne({ testOf: partnerId, active: true })).toBeNull();
  }
});
