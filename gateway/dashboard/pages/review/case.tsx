/** A case: facts with remarks, documents next to them, and the decision. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { dropDraft, useDraft } from "../../core/drafts.ts";
import { type Target, withFlag, withoutFlag } from "../../core/flags.ts";
import { asWords } from "../../core/format.ts";
import { useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { useSession } from "../../core/session.ts";
import { targetLabel } from "../../core/target-label.ts";
import { stageWords } from "../../core/words.ts";
import { Badge, Timeline } from "../../ui/bits.tsx";
import { Card, Loaded, Page } from "../../ui/page.tsx";
import { CaseHeader } from "./case-header.tsx";
import { CaseDecision } from "./decision.tsx";
import { CaseDocuments } from "./documents.tsx";
import { CaseFacts } from "./facts.tsx";
import { FlagDialog } from "./flag.tsx";
import { CaseNotes } from "./notes.tsx";

export function CasePage({ params: { customerId = "" } }: { params: Record<string, string> }) {
  const read = useRead(customerId, () => api.case(customerId)());
  return (
    <Page title={read.value?.companyName ?? "Case"} back={{ href: href("/queue"), label: "Queue" }}>
      <Loaded read={read} lines={12}>
        {(found) => <Case key={found.customerId} found={found} reload={read.reload} />}
      </Loaded>
    </Page>
  );
}

function Case({ found, reload }: { found: CaseDetail; reload: () => Promise<void> }) {
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

function OpenRequests({ found }: { found: CaseDetail }) {
  const { changeRequests, missingDocuments, decision } = found.verification;
  if (changeRequests.length === 0 && missingDocuments.length === 0 && !decision) return null;
  return (
    <Card title="Where it stands">
      {decision && (
        <p>
          {decision.outcome}
          {decision.reasons.map(({ code, message }) => ` · ${asWords(code)}: ${message}`)}
        </p>
      )}
      <ul class="stack-s">
        {changeRequests.map(({ changeRequestId, target, message, status }) => (
          <li key={changeRequestId} class="row">
            <Badge tone={status === "Open" ? "warn" : status === "Answered" ? "good" : undefined}>
              {status}
            </Badge>
            <span class="grow">
              {targetLabel(target, found.profile)}: {message}
            </span>
          </li>
        ))}
        {missingDocuments.map(({ uboId, identityTypeCode, status }) => (
          <li key={uboId + identityTypeCode} class="row">
            <Badge tone="warn">{asWords(status)}</Badge>
            <span>{targetLabel({ kind: "Identity", uboId, identityTypeCode }, found.profile)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function History({ found: { audit } }: { found: CaseDetail }) {
  return (
    <Card>
      <details>
        <summary>Audit trail ({audit.length})</summary>
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
