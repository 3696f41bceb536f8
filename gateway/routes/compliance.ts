import type { Route } from "../route.ts";

const base = "/api/compliance/v1/cases";
const common = { auth: "analyst", envelope: "dashboard", built: true, tag: "Compliance" } as const;
const read = { ...common, method: "GET", limit: "read", body: "none" } as const;
const write = { ...common, method: "POST", limit: "write" } as const;

export const complianceRoutes: readonly Route[] = [
  { ...read, path: base, action: "profile.listCases", doc: { summary: "The review queue" } },
  { ...read, path: `${base}/:customerId`, action: "profile.getCase", doc: { summary: "One case" } },
  {
    ...write,
    path: `${base}/:customerId/claim`,
    action: "profile.claimCase",
    body: "none",
    doc: { summary: "Claim a case" },
  },
  {
    ...write,
    path: `${base}/:customerId/release`,
    action: "profile.releaseCase",
    body: "none",
    doc: { summary: "Give a case back to the queue" },
  },
  {
    ...write,
    path: `${base}/:customerId/request-changes`,
    action: "profile.requestChanges",
    body: "json",
    doc: { summary: "Ask the partner for changes" },
  },
  {
    ...write,
    path: `${base}/:customerId/approve`,
    action: "profile.approveCase",
    body: "json",
    doc: { summary: "Approve the customer" },
  },
  {
    ...write,
    path: `${base}/:customerId/reject`,
    action: "profile.rejectCase",
    body: "json",
    doc: { summary: "Reject the customer" },
  },
];
