/** Documentation of the ping. */
import { always, record } from "../../../shared/contract/answer-schema.ts";
import type { DocsOf } from "../route-doc.ts";

export const healthDocs: DocsOf<"Health"> = {
  "profile.ping": {
    summary: "Ask a service behind the gateway for an answer",
    value: record({ pong: always(true) }),
    valueExample: { pong: true },
  },
};
