/** What becomes of a case: changes are asked for, or it is approved or rejected; each repeats what is still open. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/action-types/customer.ts";
import { api } from "../../core/api.ts";
import { asRequest, type Flag } from "../../core/flags.ts";
import { useAction } from "../../core/read.ts";
import { REASON_OPTIONS, reasonInWords } from "../../core/words.ts";
import { AskDialog } from "../../ui/dialog.tsx";
import { Button, SelectField, TextArea } from "../../ui/field.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { WhatChanged } from "./what-changed.tsx";

type Props = {
  found: CaseDetail;
  flags: readonly Flag[];
  onUnflag: (flag: Flag) => void;
  onDone: () => void;
  reload: () => Promise<void>;
};
type Step = "changes" | "approve" | "reject";
type Values = Record<string, string>;

export function CaseDecision({ found, flags, onUnflag, onDone, reload }: Props) {
  const [step, setStep] = useState<Step | null>(null);
  const decide = useAction(async (chosen: Step, values: Values) => {
    await send(chosen, found, flags, values);
    setStep(null);
    onDone();
  });
  const hasMoved = decide.failure?.status === 412;
  /** Until the new version is there, a decision would be one on the old. */
  const goOn = useAction(async () => {
    await reload();
    decide.clear();
  });
  return (
    <Card title="Decision">
      {flags.length === 0 ? (
        <p class="soft">Flag what is wrong while you read; the flags become one request for changes.</p>
      ) : (
        <ul class="stack-s">
          {flags.map((flag) => (
            <li key={JSON.stringify(flag.target)} class="row spread">
              <FlagText flag={flag} />
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
            Request {changesOf(flags)}…
          </Button>
        )}
        <Button kind={flags.length === 0 ? "primary" : undefined} onClick={() => setStep("approve")}>
          Approve…
        </Button>
        <Button kind="danger" onClick={() => setStep("reject")}>
          Reject…
        </Button>
      </div>
      {step && (
        <AskDialog
          {...wordsOf(step, found, flags)}
          isBusy={decide.isBusy || goOn.isBusy}
          failure={hasMoved ? null : decide.failure}
          onYes={(values) => void decide.run(step, values)}
          onClose={() => {
            setStep(null);
            decide.clear();
          }}
        >
          {hasMoved && <WhatChanged seen={found} onContinue={() => void goOn.run()} />}
          <Fields step={step} found={found} flags={flags} />
        </AskDialog>
      )}
    </Card>
  );
}

const changesOf = ({ length }: readonly Flag[]): string => (length === 1 ? "1 change" : `${length} changes`);

const FlagText = ({ flag: { label, message } }: { flag: Flag }) => (
  <span>
    <strong>{label}</strong> {message}
  </span>
);

function wordsOf(step: Step, { companyName }: CaseDetail, flags: readonly Flag[]) {
  if (step === "changes") return { title: `Request ${changesOf(flags)}?`, yes: "Send the request" };
  if (step === "approve") return { title: `Approve ${companyName}?`, yes: "Approve" };
  return { title: `Reject ${companyName}?`, yes: "Reject", kind: "danger" as const };
}

/** On the version that was seen. */
function send(step: Step, found: CaseDetail, flags: readonly Flag[], values: Values): Promise<unknown> {
  const { customerId } = found;
  const ifMatch = found.profile.version;
  const { note, code = "", message = "" } = values;
  if (step === "changes") return api.requestChanges(customerId)({ body: asRequest(flags), ifMatch });
  if (step === "approve") return api.approve(customerId)({ body: note ? { note } : {}, ifMatch });
  return api.reject(customerId)({ body: { reasons: [{ code, message }] }, ifMatch });
}

function Fields({ step, found, flags }: Pick<Props, "found" | "flags"> & { step: Step }) {
  if (step === "changes")
    return (
      <ul class="stack-s">
        {flags.map((flag) => (
          <li key={JSON.stringify(flag.target)}>
            <FlagText flag={flag} />
          </li>
        ))}
      </ul>
    );
  return (
    <>
      <StillOpen found={found} flags={flags} />
      {step === "approve" ? (
        <TextArea
          label="Note"
          name="note"
          hint="For the audit trail; the partner does not see it."
          maxLength={2_000}
        />
      ) : (
        <>
          <SelectField label="Reason" name="code" options={REASON_OPTIONS} />
          <TextArea label="Message to the partner" name="message" maxLength={2_000} required />
        </>
      )}
    </>
  );
}

function StillOpen({ found: { verification, remarks }, flags }: Pick<Props, "found" | "flags">) {
  const open = [
    ...verification.changeRequests
      .filter(({ status }) => status === "Open")
      .map(({ message }) => `Asked for: ${message}`),
    ...verification.missingDocuments.map(({ identityTypeCode }) => `Document missing: ${identityTypeCode}`),
    ...remarks.map(({ message }) => message),
    ...flags.map(({ label, reasonCode }) => `Flagged: ${label} (${reasonInWords(reasonCode)})`),
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
