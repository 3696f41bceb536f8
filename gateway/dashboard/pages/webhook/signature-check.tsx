/** Is this webhook signed with this secret? Answered in the browser; nothing is sent. */
import { useState } from "preact/hooks";
import { useAction } from "../../core/read.ts";
import { checkSignature, type Verdict } from "../../core/signature.ts";
import { Form, TextArea, TextField, type Values } from "../../ui/field.tsx";
import { Card, Notice, Page } from "../../ui/page.tsx";

export function SignatureCheckPage() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const check = useAction(async (values: Values, form: HTMLFormElement) => {
    const { eventId = "", timestamp = "", signature = "", secret = "" } = values;
    // The body as it is: white space counts. A form writes line breaks as CRLF, the event has none of them.
    const body = String(new FormData(form).get("body")).replaceAll("\r\n", "\n");
    const given = { eventId, timestamp, signature, secret: secret.trim(), body };
    setVerdict(await checkSignature(given, Date.now()));
  });
  return (
    <Page
      title="Signature check"
      intro="Paste a request that your server received. The check runs in your browser, and nothing is sent."
    >
      <Card>
        <Form action={check} submit="Check" kind="primary">
          <div class="filters">
            <TextField label="Svc-Event-Id" name="eventId" required />
            <TextField label="Svc-Timestamp" name="timestamp" inputMode="numeric" required />
          </div>
          <TextField
            label="Svc-Signature"
            name="signature"
            hint="The complete header, with all its signatures."
            required
          />
          <TextField label="Signing secret" name="secret" type="password" hint="whsec_…" required />
          <TextArea label="Raw body" name="body" hint="Exactly as received, byte for byte." isCode required />
        </Form>
      </Card>
      <div aria-live="polite">
        {verdict && (
          <Notice tone={verdict.isValid ? "good" : "bad"}>
            <p>
              <strong>{verdict.isValid ? "The signature is valid." : "The signature is not valid."}</strong>
            </p>
            {verdict.reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </Notice>
        )}
      </div>
    </Page>
  );
}
