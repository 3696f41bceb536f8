import { configChangeExample, configChangeSchema } from "../../services/profile/country/config.schemas.ts";
import { configListValue, configValue } from "../../services/profile/country/country-answer.schemas.ts";
import { rejectExample, requestChangesExample } from "../../services/profile/read/examples.schemas.ts";
import { casesQuery, configsQuery } from "../../services/profile/read/list.schemas.ts";
import {
  approveSchema,
  rejectSchema,
  requestChangesSchema,
} from "../../services/profile/review/case.schemas.ts";
import {
  caseDetailValue,
  caseListValue,
  caseValue,
} from "../../services/profile/review/case-answer.schemas.ts";
import type { ErrorCode } from "../../shared/error-codes.ts";
import type { Route } from "../route.ts";

const base = "/api/compliance/v1/cases";
const configs = "/api/compliance/v1/onboarding-configs";
const common = { auth: "analyst", envelope: "dashboard", tag: "Compliance" } as const;
const read = { ...common, method: "GET", limit: "read", body: "none" } as const;
const write = { ...common, method: "POST", limit: "write" } as const;
const ofOwner: ErrorCode[] = ["Customer.NotFound", "Case.NotOwner", "Case.InvalidState"];

export const complianceRoutes: readonly Route[] = [
  {
    ...read,
    path: base,
    action: "profile.listCases",
    doc: {
      summary: "The review queue",
      description: "Every case, oldest first; filter by reviewStage=Queued for what waits.",
      query: casesQuery,
      value: caseListValue,
      errors: ["ValidationControl.Error"],
    },
  },
  {
    ...read,
    path: `${base}/:customerId`,
    action: "profile.getCase",
    doc: {
      summary: "One case",
      description: "The customer, its verification, remarks that did not refuse it, and who did what.",
      value: caseDetailValue,
      errors: ["Customer.NotFound"],
    },
  },
  {
    ...write,
    path: `${base}/:customerId/claim`,
    action: "profile.claimCase",
    body: "none",
    doc: {
      summary: "Claim a case",
      description:
        "Locks the package for the partner. A claim ends after eight hours without an action; claiming again renews it.",
      value: caseValue,
      errors: ["Customer.NotFound", "Case.AlreadyClaimed", "Case.InvalidState"],
    },
  },
  {
    ...write,
    path: `${base}/:customerId/release`,
    action: "profile.releaseCase",
    body: "none",
    doc: { summary: "Give a case back to the queue", value: caseValue, errors: ofOwner },
  },
  {
    ...write,
    path: `${base}/:customerId/request-changes`,
    action: "profile.requestChanges",
    body: "json",
    doc: {
      summary: "Ask the partner for changes",
      description:
        "Unlocks the package. The case comes back to the queue when the last item is answered, or with new people.",
      body: requestChangesSchema,
      bodyExample: requestChangesExample,
      value: caseValue,
      errors: ["ValidationControl.Error", ...ofOwner],
    },
  },
  {
    ...write,
    path: `${base}/:customerId/approve`,
    action: "profile.approveCase",
    body: "json",
    doc: {
      summary: "Approve the customer",
      body: approveSchema,
      bodyExample: { note: "Registry extract checked." },
      value: caseValue,
      errors: ["ValidationControl.Error", ...ofOwner],
    },
  },
  {
    ...write,
    path: `${base}/:customerId/reject`,
    action: "profile.rejectCase",
    body: "json",
    doc: {
      summary: "Reject the customer",
      description: "Final: the partner can change nothing any more.",
      body: rejectSchema,
      bodyExample: rejectExample,
      value: caseValue,
      errors: ["ValidationControl.Error", ...ofOwner],
    },
  },
  {
    ...read,
    path: configs,
    action: "profile.listConfigs",
    doc: {
      summary: "The identity rules of every country",
      query: configsQuery,
      value: configListValue,
      errors: ["ValidationControl.Error"],
    },
  },
  {
    ...write,
    method: "PUT",
    path: `${configs}/:countryCode`,
    action: "profile.changeConfig",
    body: "json",
    doc: {
      summary: "Change the identity rules of a country, or switch it off",
      description: [
        "Adds a version; earlier ones stay for the record. Counts at once for new people, without a deploy; customers that exist",
        "stay as they are.",
      ].join("\n"),
      body: configChangeSchema,
      bodyExample: configChangeExample,
      value: configValue,
      errors: ["ValidationControl.Error", "OnboardingConfig.Conflict"],
      missing: ["Country.NotFound", "OnboardingConfig.NotFound"],
    },
  },
];
