/** First steps of a new partner. Each is ticked when it is done, and the card disappears after the last. */
import type { CredentialView } from "../../../shared/contract/answers/credential.ts";
import type { EndpointView } from "../../../shared/contract/answers/endpoint.ts";
import { href } from "../core/router.ts";
import { Card } from "../ui/page.tsx";

type Props = {
  endpoint: EndpointView | null;
  credential: CredentialView | undefined;
  hasCalled: boolean | undefined;
  hasCustomer: boolean | undefined;
  hasDelivered: boolean | undefined;
};

export function FirstSteps({ endpoint, credential, hasCalled, hasCustomer, hasDelivered }: Props) {
  if (!endpoint || hasCalled === undefined || hasCustomer === undefined || hasDelivered === undefined)
    return null;
  const steps = [
    {
      isDone: Boolean(credential && credential.certificates.length > 0),
      title: "Register a certificate",
      link: "/credentials",
    },
    // A call is kept for a week, what it made for longer.
    { isDone: hasCalled || hasCustomer, title: "Get a token and call the API with it", link: "/credentials" },
    { isDone: hasCustomer, title: "Create a customer", link: "/requests" },
    { isDone: endpoint.status !== "NotRegistered", title: "Register your webhook URL", link: "/webhook" },
    { isDone: hasDelivered, title: "Send a test event and see it arrive", link: "/webhook" },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Card title="First steps" actions={<span class="soft">{`${done} of ${steps.length} done`}</span>}>
      <ol class="steps">
        {steps.map(({ isDone, title, link }) => (
          <li key={title} class={isDone ? "is-done" : ""}>
            <span aria-hidden="true">{isDone ? "✓" : "○"}</span>
            <span>
              {isDone ? title : <a href={href(link)}>{title}</a>}
              {isDone && <span class="visually-hidden"> (done)</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
