/** The webhooks in the API document. */
import { type JsonSchema, named } from "../../shared/contract/answer-schema.ts";
import {
  envelope,
  eventContents,
  replayHeader,
  webhookHeaders,
} from "../../shared/contract/answers/webhook.ts";
import { EVENT_TYPES, type EventType } from "../../shared/contract/events.ts";
import { type NamedSchemas, pascalCase } from "./named-schemas.rules.ts";

const CONTENTS: Record<EventType, { data: JsonSchema; example: object }> = eventContents;

const DESCRIPTION = [
  "Sent to your registered URL and signed with your secret. Answer any 2xx within 15 seconds. After any other answer the delivery",
  "is retried: eight attempts over about three days. Deliveries can arrive twice or out of order.",
].join("\n");

const nameOf = (type: EventType): string => `${pascalCase(type)}Event`;

const eventSchema = ({ name, version }: (typeof EVENT_TYPES)[number]): JsonSchema =>
  named(nameOf(name), envelope(name, version, CONTENTS[name].data));

/** An event of any type, as in a list of events. */
export const anyEvent: JsonSchema = named("WebhookEvent", {
  oneOf: EVENT_TYPES.map(eventSchema),
  discriminator: {
    propertyName: "eventType",
    mapping: Object.fromEntries(
      EVENT_TYPES.map(({ name }) => [name, `#/components/schemas/${nameOf(name)}`]),
    ),
  },
});

export const exampleOf = (type: EventType): JsonSchema => exampleEnvelope(type, 1, CONTENTS[type].example);

export const documentedWebhooks = (schemas: NamedSchemas): JsonSchema =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type.name, { post: webhook(type, schemas) }]));

function webhook(type: (typeof EVENT_TYPES)[number], schemas: NamedSchemas): JsonSchema {
  const { name, version, description } = type;
  return {
    operationId: `on${pascalCase(name)}`,
    summary: description.replace(/\.$/, ""),
    description: DESCRIPTION,
    security: [],
    parameters: [...headers(webhookHeaders, true), ...headers(replayHeader, false)],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: schemas.place(name, eventSchema(type)),
          example: exampleEnvelope(name, version, CONTENTS[name].example),
        },
      },
    },
    responses: {
      "2XX": { description: "Delivered" },
      410: { description: "After two in a row, the endpoint is disabled" },
      429: {
        description:
          "With Retry-After: the endpoint is paused for that time, at most an hour; the same for 503",
      },
    },
  };
}

const headers = (schemas: Record<string, JsonSchema>, required: boolean): JsonSchema[] =>
  Object.entries(schemas).map(([name, schema]) => ({ name, in: "header", required, schema }));

function exampleEnvelope(eventType: EventType, eventVersion: number, data: object): JsonSchema {
  const { customerId = null, partnerCustomerId = null } = data as Record<string, string>;
  return {
    eventId: "0199f2c4-7a10-7000-8000-000000000001",
    eventType,
    eventVersion,
    occurredAt: "2026-01-02T03:04:05.678Z",
    partnerId: "3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c",
    correlation: {
      correlationId: "0af7651916cd43dd8448eb211c80319c",
      requestId: "a39b9839-3988-4025-8a9a-2cef31fa4327",
      customerId,
      partnerCustomerId,
      sequence: customerId === null ? null : 1,
    },
    data,
  };
}
