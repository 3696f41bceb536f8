/** A case: facts with remarks, flags, notes, documents, and the decision. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { dropDraft, useDraft } from "../../core/drafts.ts";
import { asWords } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { useSession } from "../../core/session.ts";
import { type Flag, type Target, targetLabel, withFlag, withoutFlag } from "../../core/targets.ts";
import { documentWords, REASON_OPTIONS, requestWords, stageWords } from "../../core/words.ts";
import { State, Timeline } from "../../ui/bits.tsx";
import { AskDialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextArea, type Values } from "../../ui/field.tsx";
import { Card, Loaded, Page } from "../../ui/page.tsx";
import { CaseHeader } from "./case-header.tsx";
import { CaseDecision } from "./decision.tsx";
import { CaseDocuments } from "./documents.tsx";
import { CaseFacts } from "./facts.tsx";

export function CasePage({ params: { customerId = "" } }: { params: Record<string, string> }) {
  const read = useRead(customerId, api.case(customerId));
  return (
    <Page title={read.value?.companyName ?? "Case"} back={{ href: href("/queue"), label: "Queue" }}>
      <Loaded read={read} lines={12}>
        {(found) => <Case key={found.customerId} found={found} reload={read.reload} />}
      </Loaded>
    </Page>
  );
}

type CaseProps = { found: CaseDetail; reload: () => Promise<void> };

function Case({ found, reload }: CaseProps) {
  const me = useSession().user.email;
  const isMine = found.claimedBy === me;
  const { flags, openedIds, setFlags, open } = useDraft(found);
  const [flagging, setFlagging] = useState<Target | null>(null);
  const onFlag = isMine ? setFlagging : null;
  return (
    <>
      <CaseHeader found={found} isMine={isMine} reload={reload} />
      <div class="review">
        <div class="stack">
          <OpenRequests found={found} />
          <CaseFacts found={found} flags={flags} onFlag={onFlag} />
          <CaseNotes found={found} reload={reload} />
          <History found={found} />
        </div>
        <div class="beside">
          <CaseDocuments found={found} onFlag={onFlag} onOpen={open} />
          {isMine && (
            <CaseDecision
              found={found}
              flags={flags}
              openedIds={openedIds}
              reload={reload}
              onUnflag={(flag) => setFlags(withoutFlag(flags, flag))}
              onDone={() => {
                dropDraft(found.customerId);
                void reload();
              }}
            />
          )}
        </div>
      </div>
      {flagging && (
        <FlagDialog
          target={flagging}
          label={targetLabel(flagging, found.profile)}
          onClose={() => setFlagging(null)}
          onFlag={(flag) => {
            setFlags(withFlag(flags, flag));
            setFlagging(null);
          }}
        />
      )}
    </>
  );
}

type FlagProps = { target: Target; label: string; onClose: () => void; onFlag: (flag: Flag) => void };

const USUAL: Readonly<Record<Target["kind"], string>> = {
  Business: "Business.NameMismatch",
  Person: "Person.IdentityMismatch",
  Identity: "Person.IdentityNumberInvalid",
  Document: "Document.Unreadable",
};

function FlagDialog({ target, label, onClose, onFlag }: FlagProps) {
  return (
    <AskDialog
      title={`Flag: ${label}`}
      yes="Flag"
      onYes={({ reasonCode = "", message = "" }) => onFlag({ target, reasonCode, message })}
      onClose={onClose}
    >
      <SelectField label="Reason" name="reasonCode" value={USUAL[target.kind]} options={REASON_OPTIONS} />
      <TextArea label="Instruction for the partner" name="message" required />
    </AskDialog>
  );
}

function OpenRequests({ found }: { found: CaseDetail }) {
  const { changeRequests, missingDocuments, decision } = found.verification;
  if (changeRequests.length === 0 && missingDocuments.length === 0 && !decision) return null;
  return (
    <Card title="Review status">
      {decision && (
        <p>
          {decision.outcome}
          {decision.reasons.map(({ code, message }) => ` · ${asWords(code)}: ${message}`)}
        </p>
      )}
      <ul class="stack-s">
        {changeRequests.map(({ changeRequestId, target, message, status }) => (
          <li key={changeRequestId} class="row">
            <State of={requestWords(status)} />
            <span class="grow">
              {targetLabel(target, found.profile)}: {message}
            </span>
          </li>
        ))}
        {missingDocuments.map(({ uboId, identityTypeCode, status }) => (
          <li key={uboId + identityTypeCode} class="row">
            <State of={documentWords(status)} />
            <span>{targetLabel({ kind: "Identity", uboId, identityTypeCode }, found.profile)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Partners never see them. */
function CaseNotes({ found: { customerId, notes }, reload }: CaseProps) {
  const add = useAction(async (body: Values, form: HTMLFormElement) => {
    await api.addNote(customerId)({ body });
    form.reset();
    await reload();
  });
  return (
    <Card title="Internal notes">
      <Timeline
        moments={notes.map(({ noteId, at, by, text }) => ({
          key: noteId,
          at,
          title: by,
          body: <p>{text}</p>,
        }))}
      />
      <Form action={add} submit="Add note">
        <TextArea
          label="New note"
          name="text"
          hint="Only analysts can read it. A note cannot be changed or removed."
          required
        />
      </Form>
    </Card>
  );
}

function History({ found: { audit } }: { found: CaseDetail }) {
  return (
    <Card>
      <details>
        <summary>Audit log ({audit.length})</summary>
        <Timeline
          moments={audit.toReversed().map(({ version, at, actor, action, to, detail }) => ({
            key: String(version),
            at,
            title: asWords(action),
            body: (
              <p class="soft small">
                {actor.kind} {actor.id} · {stageWords(to.reviewStage).label}
                {typeof detail.note === "string" && ` · “${detail.note}”`}
              </p>
            ),
          }))}
        />
      </details>
    </Card>
  );
}
