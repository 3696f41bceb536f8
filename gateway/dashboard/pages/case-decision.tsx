/** What becomes of a case: changes are asked for, or it is approved or rejected; each repeats what is still open. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../shared/action-types/customer.ts";
import { api } from "../core/api.ts";
import { asRequest, type Flag } from "../core/flags.ts";
import { useAction } from "../core/read.ts";
import { REASON_CODE, REASON_OPTIONS } from "../core/words.ts";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { Button, Field, onSubmit, SelectField } from "../ui/field.tsx";
import { Card, Failure, Notice } from "../ui/page.tsx";

type Props = {
  found: CaseDetail;
  flags: readonly Flag[];
  onUnflag: (flag: Flag) => void;
  onDone: () => void;
};
type Step = "changes" | "approve" | "reject";

export function CaseDecision({ found, flags, onUnflag, onDone }: Props) {
  const [step, setStep] = useState<Step | null>(null);
  const decide = useAction(async (change: Promise<unknown>) => {
    await change;
    setStep(null);
    onDone();
  });
  const { customerId } = found;
  const ifMatch = found.profile.version;
  const close = () => {
    setStep(null);
    decide.clear();
  };
  return (
    <Card title="Decision">
      {flags.length === 0 ? (
        <p class="soft">Flag what is wrong while you read; the flags become one request for changes.</p>
      ) : (
        <ul class="stack-s">
          {flags.map((flag) => (
            <li key={JSON.stringify(flag.target)} class="row spread">
              <span>
                <strong>{flag.label}</strong> {flag.message}
              </span>
              <Button kind="plain" onClick={() => onUnflag(flag)} label={`Remove the flag on ${flag.label}`}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        {flags.length > 0 && (
          <Button kind="primary" onClick={() => setStep("changes")}>
            Request {flags.length} changes…
          </Button>
        )}
        <Button kind={flags.length === 0 ? "primary" : undefined} onClick={() => setStep("approve")}>
          Approve…
        </Button>
        <Button kind="danger" onClick={() => setStep("reject")}>
          Reject…
        </Button>
      </div>
      {step === "changes" && (
        <Dialog title={`Request ${flags.length} changes?`} onClose={close}>
          <ul class="stack-s">
            {flags.map((flag) => (
              <li key={JSON.stringify(flag.target)}>
                <strong>{flag.label}</strong>: {flag.message}
              </li>
            ))}
          </ul>
          <DecisionFailure failure={decide.failure} onReload={onDone} />
          <DialogFoot>
            <Button onClick={close}>Cancel</Button>
            <Button
              kind="primary"
              isBusy={decide.isBusy}
              onClick={() =>
                void decide.run(api.requestChanges(customerId)({ body: asRequest(flags), ifMatch }))
              }
            >
              Send the request
            </Button>
          </DialogFoot>
        </Dialog>
      )}
      {step === "approve" && (
        <Dialog title={`Approve ${found.companyName}?`} onClose={close}>
          <StillOpen found={found} flags={flags} />
          <form
            class="stack"
            onSubmit={onSubmit(
              ({ note }) => void decide.run(api.approve(customerId)({ body: note ? { note } : {}, ifMatch })),
            )}
          >
            <Field label="Note" name="note" hint="For the audit trail; the partner does not see it.">
              {(props) => <textarea maxLength={2_000} {...props} />}
            </Field>
            <DecisionFailure failure={decide.failure} onReload={onDone} />
            <DialogFoot>
              <Button onClick={close}>Cancel</Button>
              <Button submit kind="primary" isBusy={decide.isBusy}>
                Approve
              </Button>
            </DialogFoot>
          </form>
        </Dialog>
      )}
      {step === "reject" && (
        <Dialog title={`Reject ${found.companyName}?`} onClose={close}>
          <StillOpen found={found} flags={flags} />
          <form
            class="stack"
            onSubmit={onSubmit(
              ({ code = "", message = "" }) =>
                void decide.run(api.reject(customerId)({ body: { reasons: [{ code, message }] }, ifMatch })),
            )}
          >
            <SelectField label="Reason" name="code" options={REASON_OPTIONS} />
            <Field label="Message to the partner" name="message">
              {(props) => <textarea required maxLength={2_000} {...props} />}
            </Field>
            <DecisionFailure failure={decide.failure} onReload={onDone} />
            <DialogFoot>
              <Button onClick={close}>Cancel</Button>
              <Button submit kind="danger" isBusy={decide.isBusy}>
                Reject
              </Button>
            </DialogFoot>
          </form>
        </Dialog>
      )}
    </Card>
  );
}

function StillOpen({ found: { verification, remarks }, flags }: Pick<Props, "found" | "flags">) {
  const open = [
    ...verification.changeRequests
      .filter(({ status }) => status === "Open")
      .map(({ message }) => `Asked for: ${message}`),
    ...verification.missingDocuments.map(({ identityTypeCode }) => `Document missing: ${identityTypeCode}`),
    ...remarks.map(({ message }) => message),
    ...flags.map(
      ({ label, reasonCode }) => `Flagged: ${label} (${REASON_CODE[reasonCode as keyof typeof REASON_CODE]})`,
    ),
  ];
  if (open.length === 0) return <p class="soft">Nothing is open.</p>;
  return (
    <Notice tone="warn">
      <p>Still open:</p>
      <ul>
        {open.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Somebody changed the customer since it was read: read again before deciding. */
function DecisionFailure({
  failure,
  onReload,
}: {
  failure: Parameters<typeof Failure>[0]["failure"];
  onReload: () => void;
}) {
  if (failure?.status !== 412) return <Failure failure={failure} />;
  return (
    <Notice tone="warn">
      <p>
        The customer changed since you opened the case. Nothing was decided. Look at what is new, then decide.
      </p>
      <div>
        <Button onClick={onReload}>Show what changed</Button>
      </div>
    </Notice>
  );
}
