/** Documentation of the sandbox. */
import { sandboxExample } from "../../../shared/contract/answers/credential.ts";
import type { DocsOf } from "../route-doc.ts";

export const sandboxDocs: DocsOf<"Sandbox"> = {
  "auth-token.describeSandbox": {
    summary: "Read the sandbox of the partner",
    valueExample: sandboxExample,
    errors: ["Sandbox.NotFound"],
  },
  "auth-token.openSandbox": {
    summary: "Open the sandbox of the partner",
    description: [
      "A sandbox is a test partner with its own API client, customers, documents, webhooks and events, all marked `test`.",
      "Calling again returns the same sandbox. With the header Svc-Sandbox: true, the other dashboard routes act for the sandbox.",
      "Register its certificate and its webhook that way.",
    ].join("\n"),
    valueExample: sandboxExample,
    errors: ["Partner.NotFound"],
  },
};
