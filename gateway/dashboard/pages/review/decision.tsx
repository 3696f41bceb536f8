/** The decision of a case: request changes, approve or reject. Each dialog lists what is still open. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { type Difference, differences } from "../../core/differences.rules.ts";
import { asWords } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { type Flag, targetLabel } from "../../core/targets.ts";
import { REASON_OPTIONS, reasonInWords } from "../../core/words.ts";
import { AskDialog } from "../../ui/dialog.tsx";
import { Button, SelectField, TextArea, type Values } from "../../ui/field.tsx";
import { Card, Loaded, Notice } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";

type Seen = {
  found: CaseDetail;
  flags: readonly Flag[];
  openedIds: readonly string[];
};
type Props = Seen & {
  onUnflag: (flag: Flag) => void;
  onDone: () => void;
  reload: () => Promise<void>;
};
type Step = "changes" | "approve" | "reject";

export function CaseDecision({ onUnflag, onDone, reload, ...seen }: Props) {
  const { found, flags } = seen;
  const [step, setStep] = useState<Step | null>(null);
  const asked = step && stepOf(step, seen);
  const decide = useAction(async (values: Values) => {
    await asked?.send(values);
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
        <p class="soft">Flag every item that needs a change. All flags are sent as one request.</p>
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
      {asked && (
        <AskDialog
          title={asked.title}
          yes={asked.yes}
          kind={asked.kind}
          isBusy={decide.isBusy || goOn.isBusy}
          failure={hasMoved ? null : decide.failure}
          onYes={(values) => void decide.run(values)}
          onClose={() => {
            setStep(null);
            decide.clear();
          }}
        >
          {hasMoved && <WhatChanged seen={found} onContinue={() => void goOn.run()} />}
          {asked.fields}
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

type Asked = {
  title: string;
  yes: string;
  kind?: "danger";
  send: (values: Values) => Promise<unknown>;
  fields: ComponentChildren;
};

/** A decision is one on the version that was seen. */
function stepOf(step: Step, { found, flags, openedIds }: Seen): Asked {
  const { customerId, companyName } = found;
  const ifMatch = found.profile.version;
  if (step === "changes")
    return {
      title: `Request ${changesOf(flags)}?`,
      yes: "Send the request",
      send: () => api.requestChanges(customerId)({ body: { items: flags }, ifMatch }),
      fields: (
        <ul class="stack-s">
          {flags.map((flag) => (
            <li key={JSON.stringify(flag.target)}>
              <FlagText found={found} flag={flag} />
            </li>
          ))}
        </ul>
      ),
    };
  if (step === "approve")
    return {
      title: `Approve ${companyName}?`,
      yes: "Approve",
      send: ({ note }) => api.approve(customerId)({ body: note ? { note } : {}, ifMatch }),
      fields: (
        <>
          <OpenItems items={[...openItems(found, flags), ...unreadDocuments(found, openedIds)]} />
          <TextArea label="Note" name="note" hint="Kept in the audit log. The partner cannot read it." />
        </>
      ),
    };
  return {
    title: `Reject ${companyName}?`,
    yes: "Reject",
    kind: "danger",
    send: (reason) => api.reject(customerId)({ body: { reasons: [reason] }, ifMatch }),
    fields: (
      <>
        <Notice tone="warn">
          A rejection is final. The partner can no longer change this customer or upload documents.
        </Notice>
        <OpenItems items={openItems(found, flags)} />
        <SelectField label="Reason" name="code" options={REASON_OPTIONS} />
        <TextArea label="Message to the partner" name="message" required />
      </>
    ),
  };
}

function OpenItems({ items }: { items: readonly string[] }) {
  if (items.length === 0) return <p class="soft">No open items.</p>;
  return (
    <Notice tone="warn">
      <p>Open items:</p>
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
      .map(({ target, message }) => `Change requested: ${targetLabel(target, profile)}: ${message}`),
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
  if (profile.documents.length === 0) return ["No documents uploaded."];
  return profile.documents.flatMap(({ documentId, status, ...document }) => {
    const label = targetLabel({ kind: "Document", ...document }, profile);
    if (status !== "Confirmed") return [`Not confirmed: ${label} (${asWords(status)})`];
    return openedIds.includes(documentId) ? [] : [`Not opened by you: ${label}`];
  });
}

type ChangedProps = { seen: CaseDetail; onContinue: () => void };

/** The customer changed since the case was read: the changes, before it is decided. */
function WhatChanged({ seen, onContinue }: ChangedProps) {
  const now = useRead(seen.customerId, api.case(seen.customerId));
  return (
    <Notice tone="warn">
      <p>
        This customer changed after you opened the case, so your decision was not saved. Check the changes.
      </p>
      <Loaded read={now} lines={3}>
        {(found) => (
          <>
            <Table
              caption="Changes"
              rows={whatCounts(seen, found)}
              empty={<p>Only the version changed. All fields on this page are the same.</p>}
              keyOf={({ what, before }) => what + before}
              columns={[
                { label: "Field", cell: ({ what }) => what },
                { label: "Before", cell: ({ before }) => before ?? "–" },
                { label: "Now", cell: ({ after }) => after ?? "–" },
              ]}
            />
            <div>
              <Button onClick={onContinue}>Continue with version {found.profile.version}</Button>
            </div>
          </>
        )}
      </Loaded>
    </Notice>
  );
}

/** The trail and the remarks follow from the rest. */
const whatCounts = (before: CaseDetail, after: CaseDetail): Difference[] => {
  const part = ({ profile, claimedBy, verification: { changeRequests, decision } }: CaseDetail) => ({
    ...profile,
    claimedBy,
    changeRequests,
    decision,
  });
  return differences(part(before), part(after));
};
