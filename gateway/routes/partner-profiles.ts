import type { Route } from "../route.ts";

const tag = "Business profiles";
const base = "/api/partner/v1/business-profiles";
const common = { auth: "partner", envelope: "partner", tag, built: true } as const;
const read = { ...common, scope: "partner.read", limit: "read", body: "none", method: "GET" } as const;
const write = { ...common, scope: "partner.write", limit: "write", body: "json" } as const;

export const partnerProfileRoutes: readonly Route[] = [
  {
    ...write,
    method: "POST",
    path: base,
    action: "profile.create",
    malformedCode: "Validation",
    doc: { summary: "Create a business customer with its people" },
  },
  {
    ...write,
    method: "PUT",
    path: `${base}/:businessProfileId`,
    action: "profile.replace",
    doc: { summary: "Replace a business profile" },
  },
  {
    ...write,
    method: "PATCH",
    path: `${base}/:customerId`,
    action: "profile.patch",
    doc: { summary: "Change parts of a business profile" },
  },
  { ...read, path: base, action: "profile.list", doc: { summary: "List the customers of the partner" } },
  {
    ...read,
    path: `${base}/by-reference/:partnerCustomerId`,
    action: "profile.getByReference",
    doc: { summary: "Read one customer by the partner's own reference" },
  },
  { ...read, path: `${base}/:customerId`, action: "profile.get", doc: { summary: "Read one customer" } },
  {
    ...read,
    path: `${base}/:customerId/verification-status`,
    action: "profile.verificationStatus",
    doc: { summary: "Read the verification outcome" },
  },
];
