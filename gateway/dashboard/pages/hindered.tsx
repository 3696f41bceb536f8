/** In place of every page, while all are refused for the same reason. */
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
    title="Set up your second factor"
    intro="Your role requires a code from an authenticator app in addition to your password. The setup takes a minute. Then your page opens."
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
      title="Your application is under review"
      intro={`The operator of this service is reviewing ${partner?.name ?? "your organisation"}. Your pages open after the approval. You do not need to send anything.`}
      actions={<CheckAgain />}
    >
      <Card title="Prepare in the meantime">
        <ul class="bullets">
          <li>
            <a href={href("/account")}>Protect your account</a> with a second factor.
          </li>
          <li>
            <a href="/docs">Read the guides</a>, from the first access token to the first customer.
          </li>
          <li>
            <a href="/docs/token">Create the key pair and the certificate</a> that sign your requests.
          </li>
          <li>
            <a href="/docs/webhooks">Build the receiver</a> for webhook events.
          </li>
        </ul>
      </Card>
    </Page>
  );
}

const Inactive = () => (
  <Page
    title="Your organisation is inactive"
    intro="The operator of this service has stopped its access. Your data is kept. Ask the operator to restore access."
    actions={<CheckAgain />}
  >
    {null}
  </Page>
);

const CheckAgain = () => <Button onClick={forgetHindrance}>Check again</Button>;
