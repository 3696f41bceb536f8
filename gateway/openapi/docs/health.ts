/** Documentation of the ping. */
import type { DocsOf } from "../route-doc.ts";

export const healthDocs: DocsOf<"Health"> = {
  "profile.ping": {
    summary: "Ask a service behind the gateway for an answer",
    value: { type: "object", required: ["pong"], properties: { pong: { const: true } } },
    valueExample: { pong: true },
  },
};
