/** Documentation of the sandbox. */
import { sandboxExample, sandboxValue } from "../../../shared/contract/answers/sandbox.ts";
import type { DocsOf } from "../route-doc.ts";

const sandbox = { value: sandboxValue, valueExample: sandboxExample } as const;

export const sandboxDocs: DocsOf<"Sandbox"> = {
  "auth-token.describeSandbox": {
    summary: "The sandbox of the partner",
    ...sandbox,
    errors: ["Sandbox.NotFound"],
  },
  "auth-token.openSandbox": {
    summary: "Open the sandbox of the partner",
    description: [
      "A test partner beside the live one: its own API client, customers, documents, webhooks and events, each marked `test`.",
      "Asking again answers with the same one. With the header Svc-Sandbox: true the other dashboard routes act for it: register",
      "its certificate and its webhook like those of the live partner.",
    ].join("\n"),
    ...sandbox,
    errors: ["Partner.NotFound"],
  },
};
