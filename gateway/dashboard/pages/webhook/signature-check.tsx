/** Is this webhook signed with this secret? Answered in the browser; nothing is sent. */
import { useState } from "preact/hooks";
import { checkSignature, type Verdict } from "../../core/signature.ts";
import { Button, onSubmit, TextArea, TextField } from "../../ui/field.tsx";
import { Card, Notice, Page } from "../../ui/page.tsx";

export function SignatureCheckPage() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const check = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "");
    // The body as it is: white space counts. A form writes line breaks as CRLF, the event has none of them.
    const body = text("body").replaceAll("\r\n", "\n");
    const given = {
      eventId: text("eventId").trim(),
      timestamp: text("timestamp").trim(),
      signature: text("signature").trim(),
      secret: text("secret").trim(),
      body,
    };
    setVerdict(null);
    void checkSignature(given, Date.now()).then(setVerdict);
  };
  return (
    <Page
      title="Signature check"
      intro="Paste a request that your server got. It is checked here in your browser; nothing leaves the page."
    >
      <Card>
        <form
          class="stack"
          autocomplete="off"
          onSubmit={(event) => {
            onSubmit(() => {})(event);
            check(event.currentTarget);
          }}
        >
          <div class="filters">
            <TextField label="Svc-Event-Id" name="eventId" required />
            <TextField label="Svc-Timestamp" name="timestamp" inputMode="numeric" required />
          </div>
          <TextField
            label="Svc-Signature"
            name="signature"
            hint="As it came, with every signature in it."
            required
          />
          <TextField
            label="Signing secret"
            name="secret"
            type="password"
            autocomplete="off"
            hint="whsec_…"
            required
          />
          <TextArea label="Raw body" name="body" hint="Exactly as it came, byte for byte." isCode required />
          <div>
            <Button submit kind="primary">
              Check
            </Button>
          </div>
        </form>
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
