/** Every event type: when it is sent, its version, its schema and an example. */
import { api } from "../../core/api.ts";
import { useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { CopyButton } from "../../ui/bits.tsx";
import type { Options } from "../../ui/field.tsx";
import { Card, Loaded, Page } from "../../ui/page.tsx";

type Content = { schema: unknown; example: unknown };
type ApiDocument = {
  webhooks: Record<string, { post: { requestBody: { content: { "application/json": Content } } } }>;
};

export function useEventTypeOptions(): Options {
  const types = useRead("types", api.eventTypes);
  return [["", "All types"], ...(types.value ?? []).map(({ name }) => [name, name] as const)];
}

export function EventsPage() {
  const types = useRead("types", api.eventTypes);
  const contents = useRead("document", readContents);
  return (
    <Page
      title="Events"
      intro="Your webhook can receive these events. They contain ids and states. Request the details with an access token."
      actions={
        <a class="button" href={href("/signature-check")}>
          Check a signature
        </a>
      }
    >
      <Loaded read={types}>
        {(items) =>
          items.map(({ name, version, description }) => (
            <Card key={name} title={name} actions={<span class="soft small">v{version}</span>}>
              <p>{description}</p>
              <Details title="Example" value={contents.value?.[name]?.example} />
              <Details title="Schema" value={contents.value?.[name]?.schema} />
            </Card>
          ))
        }
      </Loaded>
    </Page>
  );
}

function Details({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null;
  const text = JSON.stringify(value, null, 2);
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack-s">
        <div>
          <CopyButton text={text} />
        </div>
        <pre>{text}</pre>
      </div>
    </details>
  );
}

/** From the public API document, which has no envelope. */
async function readContents(): Promise<Record<string, Content>> {
  const response = await fetch("/api/openapi.json");
  const { webhooks }: ApiDocument = await response.json();
  return Object.fromEntries(
    Object.entries(webhooks).map(([name, { post }]) => [name, post.requestBody.content["application/json"]]),
  );
}
