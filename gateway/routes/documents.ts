import type { Route } from "../route.ts";

export const documentRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/api/partner/v1/business-profiles/:customerId/documents/upload-link",
    action: "document.createUploadLink",
    auth: "partner",
    scope: "partner.write",
    limit: "write",
    body: "json",
    envelope: "partner",
    built: false,
    tag: "Documents",
    doc: { summary: "Get a link to upload a document" },
  },
];
