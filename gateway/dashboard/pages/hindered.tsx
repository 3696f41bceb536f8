/** In place of every page that would be refused for one and the same reason. */
import type { Hindrance } from "../core/http.ts";
import { href } from "../core/router.ts";
import { forgetHindrance, useSession } from "../core/session.ts";
import { Button } from "../ui/field.tsx";
import { Card, Page } from "../ui/page.tsx";
import { SecondFactorSetup } from "./second-factor.tsx";

export function HinderedPage({ hindrance }: { hindrance: Hindrance }) {
  if (hindrance === "secondFactor") return <SetUpFirst />;
  return hindrance === "approval" ? <NotApproved /> : <Inactive />;
}

const SetUpFirst = () => (
  <Page
    title="One step before you begin"
    intro="Your role needs a second factor: a code of an authenticator app in addition to your password. Setting it up takes a minute, then your page opens."
  >
    <Card>
      <SecondFactorSetup onDone={forgetHindrance} />
    </Card>
  </Page>
);

function NotApproved() {
  const { partner } = useSession();
  return (
    <Page
      title="Your application is being checked"
      intro={`The operator of this service reviews ${partner?.name ?? "your organisation"}. Your pages open as soon as it is approved; there is nothing to send.`}
      actions={<CheckAgain />}
    >
      <Card title="What you can prepare meanwhile">
        <ul class="bullets">
          <li>
            <a href={href("/account")}>Protect your account</a> with a second factor.
          </li>
          <li>
            <a href="/docs">Read the guides</a>, from the first token to the first customer.
          </li>
          <li>
            <a href="/docs/token">Make the key pair and the certificate</a> that sign your requests.
          </li>
          <li>
            <a href="/docs/webhooks">Build the receiver</a> of the events.
          </li>
        </ul>
      </Card>
    </Page>
  );
}

const Inactive = () => (
  <Page
    title="Your organisation is inactive"
    intro="The operator of this service has switched off its access. Nothing is deleted. Ask the operator to switch it on again."
    actions={<CheckAgain />}
  >
    {null}
  </Page>
);

const CheckAgain = () => <Button onClick={forgetHindrance}>Check again</Button>;
