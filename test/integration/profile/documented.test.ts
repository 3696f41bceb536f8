/** The API takes and gives exactly the shapes of the API document. */
import { beforeAll, expect, test } from "@jest/globals";
import { ROUTES } from "../../../gateway/routes.ts";
import {
  createExample,
  patchExample,
  replaceExample,
} from "../../../services/profile/read/examples.schemas.ts";
import { simulateExample } from "../../../services/profile/review/sandbox.schemas.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { CASES, type Method, PROFILES, type Sent, startApiStage } from "../../support/stage/api-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startApiStage);
let customerId: string;
let partnerCustomerId: string;
let cookie: string;
beforeAll(async () => {
  cookie = await stage.analystCookie();
  ({ customerId, partnerCustomerId } = (await stage.create(aProfile())) as {
    customerId: string;
    partnerCustomerId: string;
  });
});

const tried = new Set<string>();

/** The stage holds every answer against the document; here each route of the service has a success to be held. */
async function conforms(method: Method, path: string, template: string, sent: Sent = {}): Promise<void> {
  tried.add(`${method} ${template}`);
  await stage.value(method, path, sent);
}

test("every answer has exactly the fields of its schema", async () => {
  const { partnerCustomerId: _taken, ...example } = createExample.body;
  await conforms("POST", PROFILES, PROFILES, { body: { ...example, partnerCustomerId: "documented-1" } });
  const replacement = { ...replaceExample.body, customerId, businessPersonList: [] };
  await conforms("PUT", `${PROFILES}/${customerId}`, `${PROFILES}/:businessProfileId`, { body: replacement });
  await conforms("PATCH", `${PROFILES}/${customerId}`, `${PROFILES}/:customerId`, {
    body: patchExample.body,
  });
  const { businessPersonList } = await stage.value("GET", `${PROFILES}/${customerId}`);
  const { uboId } = businessPersonList[0] as { uboId: string };
  await conforms(
    "PATCH",
    `${PROFILES}/${customerId}/persons/${uboId}`,
    `${PROFILES}/:customerId/persons/:uboId`,
    { body: { lastName: "Okafor-Bello" } },
  );
  const token = await stage.auth.token(await stage.auth.sandbox(stage.partner));
  const test = await stage.value("POST", PROFILES, { body: aProfile(), token });
  await conforms("POST", `${PROFILES}/${test.customerId}/simulate`, `${PROFILES}/:customerId/simulate`, {
    body: simulateExample,
    token,
  });
  await conforms("GET", PROFILES, PROFILES);
  await conforms("GET", `${PROFILES}?cursor=&pageSize=1`, PROFILES);
  await conforms("GET", `${PROFILES}/${customerId}`, `${PROFILES}/:customerId`);
  await conforms(
    "GET",
    `${PROFILES}/by-reference/${partnerCustomerId}`,
    `${PROFILES}/by-reference/:partnerCustomerId`,
  );

  const { partnerId } = stage.partner;
  const viewer = await stage.auth.cookie(await stage.auth.user(partnerId, "Viewer"));
  const customers = "/api/customer/v1/partner-profile/customers";
  for (const [path, template] of [
    ["", ""],
    [`/by-reference/${partnerCustomerId}`, "/by-reference/:partnerCustomerId"],
    [`/${customerId}`, "/:customerId"],
    [`/${customerId}/verification-status`, "/:customerId/verification-status"],
  ])
    await conforms("GET", `${customers}${path}`, `${customers}${template}`, { cookie: viewer });

  const onboarding = "/api/customer/v1/onboarding";
  await conforms("GET", `${onboarding}/business-types`, `${onboarding}/business-types`);
  await conforms("GET", `${onboarding}/countries`, `${onboarding}/countries`);
  const requirements = `${onboarding}/ubo-identity-requirements`;
  await conforms("GET", `${requirements}?countryCode=ESP`, requirements);

  const step = (name: string, body?: unknown) =>
    conforms("POST", `${CASES}/${customerId}/${name}`, `${CASES}/:customerId/${name}`, {
      cookie,
      ...(body ? { body } : {}),
    });
  await step("claim");
  await step("release");
  await step("claim");
  await step("notes", { text: "Looked at the registry." });
  const person = `${CASES}/${customerId}/people/${uboId}`;
  const template = `${CASES}/:customerId/people/:uboId/identities/:index/reveal`;
  await conforms("POST", `${person}/identities/0/reveal`, template, { cookie });
  const documentId = "0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e";
  await stage.profiles.recordDocument(customerId, { documentId });
  await conforms(
    "POST",
    `${CASES}/${customerId}/documents/${documentId}/view-link`,
    `${CASES}/:customerId/documents/:documentId/view-link`,
    { cookie },
  );
  await conforms("GET", `${CASES}/counts`, `${CASES}/counts`, { cookie });
  await conforms("POST", `${CASES}/claim-next`, `${CASES}/claim-next`, { cookie });
  const vocabularies = "/api/customer/v1/vocabularies";
  await conforms("GET", vocabularies, vocabularies, { cookie });
  const item = { target: { kind: "Business", field: "website" }, reasonCode: "Other", message: "please" };
  await step("request-changes", { items: [item] });
  await conforms(
    "GET",
    `${PROFILES}/${customerId}/verification-status`,
    `${PROFILES}/:customerId/verification-status`,
  );
  await stage.value("PATCH", `${PROFILES}/${customerId}`, { body: { website: "https://answered.example" } });
  await step("claim");
  await step("approve", { note: "fine" });
  await stage.value("PATCH", `${PROFILES}/${customerId}`, { body: { companyName: "Renamed Limited" } });
  await step("claim");
  await step("reject", { reasons: [{ code: "Other", message: "no" }] });
  await conforms(
    "GET",
    `${PROFILES}/${customerId}/verification-status`,
    `${PROFILES}/:customerId/verification-status`,
  );
  await conforms("GET", CASES, CASES, { cookie });
  await conforms("GET", `${CASES}/${customerId}`, `${CASES}/:customerId`, { cookie });

  const configs = "/api/compliance/v1/onboarding-configs";
  await conforms("GET", `${configs}?versions=true`, configs, { cookie });
  await conforms("PUT", `${configs}/UGA`, `${configs}/:countryCode`, {
    cookie,
    body: { active: false, reason: "law" },
  });

  const ours = ROUTES.filter(({ action, path }) => action.startsWith("profile.") && path !== "/api/ping");
  expect([...tried].toSorted()).toEqual(ours.map(({ method, path }) => `${method} ${path}`).toSorted());
});
