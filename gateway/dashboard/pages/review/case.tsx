/** One case: the facts with the remarks about them, the documents beside, and the decision. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/action-types/customer.ts";
import { api } from "../../core/api.ts";
import { type Flag, type Target, withFlag, withoutFlag } from "../../core/flags.ts";
import { asDistance, asWords } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import { useSession } from "../../core/session.ts";
import { stageWords, verificationWords } from "../../core/words.ts";
import { Badge, State, Time, Timeline } from "../../ui/bits.tsx";
import { AskButton } from "../../ui/dialog.tsx";
import { Button } from "../../ui/field.tsx";
import { Card, Failure, Loaded, Notice, Page } from "../../ui/page.tsx";
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
  const [flags, setFlags] = useState<readonly Flag[]>([]);
  const [flagging, setFlagging] = useState<{ target: Target; label: string } | null>(null);
  const onFlag = isMine ? (target: Target, label: string) => setFlagging({ target, label }) : null;
  return (
    <>
      <Header found={found} isMine={isMine} reload={reload} />
      <div class="review">
        <div class="stack">
          <OpenRequests found={found} />
          <CaseFacts found={found} flags={flags} onFlag={onFlag} />
          <CaseNotes found={found} reload={reload} />
          <History found={found} />
        </div>
        <div class="beside">
          <CaseDocuments found={found} onFlag={onFlag} />
          {isMine && (
            <CaseDecision
              found={found}
              flags={flags}
              reload={reload}
              onUnflag={(flag) => setFlags(withoutFlag(flags, flag))}
              onDone={() => {
                setFlags([]);
                void reload();
              }}
            />
          )}
        </div>
      </div>
      {flagging && (
        <FlagDialog
          {...flagging}
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

type HeaderProps = { found: CaseDetail; isMine: boolean; reload: () => Promise<void> };

function Header({ found, isMine, reload }: HeaderProps) {
  const step = useAction(async (change: () => Promise<unknown>) => {
    await change();
    await reload();
  });
  const { isLead } = useSession().user;
  const { customerId, verificationStatus, reviewStage, claimedBy, claimedUntil, submittedAt } = found;
  return (
    <>
      <div class="row">
        <State of={verificationWords(verificationStatus)} />
        <State of={stageWords(reviewStage)} />
        <span class="soft">
          {[found.partnerName, found.partnerCustomerId].filter(Boolean).join(" · ")} · submitted{" "}
          <Time at={submittedAt} distance />
        </span>
        {!claimedBy && reviewStage === "Queued" && (
          <Button
            kind="primary"
            isBusy={step.isBusy}
            onClick={() => void step.run(() => api.claim(customerId)())}
          >
            Claim
          </Button>
        )}
        {isMine && (
          <>
            <span>Yours, ends {claimedUntil && asDistance(claimedUntil)}</span>
            <Button isBusy={step.isBusy} onClick={() => void step.run(() => api.release(customerId)())}>
              Release
            </Button>
          </>
        )}
      </div>
      {claimedBy && !isMine && (
        <Notice tone="info">
          <p>
            {claimedBy} has claimed this case until <Time at={claimedUntil} />.
          </p>
          {isLead && (
            <div>
              <AskButton
                button="Release it for them…"
                title={`Take the case from ${claimedBy}?`}
                yes="Release"
                kind="danger"
                run={() => step.run(() => api.release(customerId)())}
              >
                <p>It goes back to the queue, and they can decide nothing about it any more.</p>
              </AskButton>
            </div>
          )}
        </Notice>
      )}
      <Failure failure={step.failure} />
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
              {asWords(target.field ?? target.documentCategory ?? target.kind)}: {message}
            </span>
          </li>
        ))}
        {missingDocuments.map(({ uboId, identityTypeCode, status }) => (
          <li key={uboId + identityTypeCode} class="row">
            <Badge tone="warn">{asWords(status)}</Badge>
            <span>{asWords(identityTypeCode)} of a person</span>
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
