/** The state of the webhook, with the one thing that helps. */
import type { ComponentChildren } from "preact";
import type { EndpointView } from "../../../../shared/contract/answers/endpoint.ts";
import { asNumber } from "../../core/format.ts";
import { href } from "../../core/router.ts";
import { disabledWords, endpointWords } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";

type Props = {
  endpoint: EndpointView;
  /** On the webhook page, whose own form registers and enables; elsewhere a link leads there. */
  onRegister?: () => void;
};

export function Health({ endpoint, onRegister }: Props) {
  return (
    <div class="stack-s">
      <div class="row">
        <State of={endpointWords(endpoint.status)} />
        {endpoint.url && <code>{endpoint.url}</code>}
      </div>
      <Advice endpoint={endpoint} {...(onRegister ? { onRegister } : {})} />
    </div>
  );
}

function Advice({ endpoint, onRegister }: Props): ComponentChildren {
  const { status, degradedSince, disabledAt, disabledReason, consecutiveFailures } = endpoint;
  if (status === "NotRegistered")
    return (
      <p>
        No URL is registered yet, so no event is sent.{" "}
        {onRegister ? (
          <Button kind="plain" onClick={onRegister}>
            Register your URL
          </Button>
        ) : (
          <a href={href("/webhook")}>Register your URL</a>
        )}
      </p>
    );
  if (status === "Degraded")
    return (
      <p>
        {asNumber(consecutiveFailures)} attempts in a row failed, since <Time at={degradedSince} />.{" "}
        <a href={href("/deliveries", { status: "Pending" })}>See what your server answered</a>
      </p>
    );
  if (status === "Disabled")
    return (
      <p>
        Nothing is sent since <Time at={disabledAt} />: {disabledReason && disabledWords(disabledReason)}.{" "}
        {!onRegister && <a href={href("/webhook")}>Enable it again</a>}
      </p>
    );
  return <p class="soft">Events are sent as they happen.</p>;
}
