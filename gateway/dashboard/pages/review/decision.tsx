/** The decision of a case: request changes, approve or reject. Each dialog lists what is still open. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { asRequest, type Flag } from "../../core/flags.ts";
import { asWords } from "../../core/format.ts";
import { useAction } from "../../core/read.ts";
import { targetLabel } from "../../core/target-label.ts";
import { REASON_OPTIONS, reasonInWords } from "../../core/words.ts";
import { AskDialog } from "../../ui/dialog.tsx";
import { Button, SelectField, TextArea } from "../../ui/field.tsx";
import { Card, Notice } from "../../ui/page.tsx";
import { WhatChanged } from "./what-changed.tsx";

type Props = {
  found: CaseDetail;
  flags: readonly Flag[];
  /** Documents that the analyst opened. */
  openedIds: readonly string[];
  onUnflag: (flag: Flag) => void;
  onDone: () => void;
  reload: () => Promise<void>;
};
type Step = "changes" | "approve" | "reject";
type Values = Record<string, string>;

export function CaseDecision({ found, flags, openedIds, onUnflag, onDone, reload }: Props) {
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
              <FlagText found={found} flag={flag} />
              <Button
                kind="plain"
                onClick={() => onUnflag(flag)}
                label={`Remove the flag on ${targetLabel(flag.target, found.profile)}`}
              >
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
          <Fields {...{ step, found, flags, openedIds }} />
        </AskDialog>
      )}
    </Card>
  );
}

const changesOf = ({ length }: readonly Flag[]): string => (length === 1 ? "1 change" : `${length} changes`);

const FlagText = ({ found, flag: { target, message } }: { found: CaseDetail; flag: Flag }) => (
  <span>
    <strong>{targetLabel(target, found.profile)}</strong> {message}
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

type FieldsProps = Pick<Props, "found" | "flags" | "openedIds"> & { step: Step };

function Fields({ step, found, flags, openedIds }: FieldsProps) {
  if (step === "changes")
    return (
      <ul class="stack-s">
        {flags.map((flag) => (
          <li key={JSON.stringify(flag.target)}>
            <FlagText found={found} flag={flag} />
          </li>
        ))}
      </ul>
    );
  if (step === "approve")
    return (
      <>
        <StillOpen items={[...openItems(found, flags), ...unreadDocuments(found, openedIds)]} />
        <TextArea
          label="Note"
          name="note"
          hint="For the audit trail; the partner does not see it."
          maxLength={2_000}
        />
      </>
    );
  return (
    <>
      <Notice tone="warn">
        <p>A rejection is final. The partner can no longer change this customer or send documents for it.</p>
      </Notice>
      <StillOpen items={openItems(found, flags)} />
      <SelectField label="Reason" name="code" options={REASON_OPTIONS} />
      <TextArea label="Message to the partner" name="message" maxLength={2_000} required />
    </>
  );
}

function StillOpen({ items }: { items: readonly string[] }) {
  if (items.length === 0) return <p class="soft">No item is open.</p>;
  return (
    <Notice tone="warn">
      <p>Still open:</p>
      <ul>
        {items.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** A missing file is a remark as well; here it is said once. */
const MISSING = "Document.Missing";

function openItems({ profile, verification, remarks }: CaseDetail, flags: readonly Flag[]): string[] {
  return [
    ...verification.changeRequests
      .filter(({ status }) => status === "Open")
      .map(({ target, message }) => `Asked for: ${targetLabel(target, profile)}: ${message}`),
    ...verification.missingDocuments.map(
      (missing) => `Document missing: ${targetLabel({ kind: "Identity", ...missing }, profile)}`,
    ),
    ...remarks.filter(({ code }) => code !== MISSING).map(({ message }) => message),
    ...flags.map(
      ({ target, reasonCode }) => `Flagged: ${targetLabel(target, profile)} (${reasonInWords(reasonCode)})`,
    ),
  ];
}

function unreadDocuments({ profile }: CaseDetail, openedIds: readonly string[]): string[] {
  if (profile.documents.length === 0) return ["No document was uploaded."];
  return profile.documents.flatMap(({ documentId, status, ...document }) => {
    const label = targetLabel({ kind: "Document", ...document }, profile);
    if (status !== "Confirmed") return [`Not confirmed: ${label} (${asWords(status)})`];
    return openedIds.includes(documentId) ? [] : [`Not opened by you: ${label}`];
  });
}
