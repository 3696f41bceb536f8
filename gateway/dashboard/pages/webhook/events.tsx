/** Every event that can be sent: when, in which version, with its schema and an example. */
import { api } from "../../core/api.ts";
import { useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { CopyButton } from "../../ui/bits.tsx";
import { Card, Loaded, Page } from "../../ui/page.tsx";

type Content = { schema: unknown; example: unknown };
type ApiDocument = {
  webhooks: Record<string, { post: { requestBody: { content: { "application/json": Content } } } }>;
};

export function EventsPage() {
  const types = useRead("types", () => api.eventTypes());
  const contents = useRead("document", readContents);
  return (
    <Page
      title="Events"
      intro="Every event that your webhook can receive. Events carry ids and states; read the details with your token."
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

/** The API document has them; it is open to everybody and in no envelope. */
async function readContents(): Promise<Record<string, Content>> {
  const response = await fetch("/api/openapi.json");
  const { webhooks }: ApiDocument = await response.json();
  return Object.fromEntries(
    Object.entries(webhooks).map(([name, { post }]) => [name, post.requestBody.content["application/json"]]),
  );
}
