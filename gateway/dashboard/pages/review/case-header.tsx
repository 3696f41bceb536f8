/** The head of a case: its state, its claim, and the remaining time of the claim. */
import { useEffect, useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { dropDraft } from "../../core/drafts.ts";
import { asDistance } from "../../core/format.ts";
import { useAction } from "../../core/read.ts";
import { useSession } from "../../core/session.ts";
import { stageWords, verificationWords } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { AskButton } from "../../ui/dialog.tsx";
import { Button } from "../../ui/field.tsx";
import { Failure, Notice } from "../../ui/page.tsx";

type Props = { found: CaseDetail; isMine: boolean; reload: () => Promise<void> };

export function CaseHeader({ found, isMine, reload }: Props) {
  const step = useAction(async (change: () => Promise<unknown>) => {
    try {
      await change();
    } finally {
      // A refusal means that the case is not as shown.
      await reload();
    }
  });
  const { isLead } = useSession().user;
  const { customerId, verificationStatus, reviewStage, claimedBy, claimedUntil, submittedAt } = found;
  const release = () =>
    step.run(async () => {
      await api.release(customerId)();
      dropDraft(customerId);
    });
  return (
    <>
      <div class="row">
        <State of={verificationWords(verificationStatus)} />
        <State of={stageWords(reviewStage)} />
        <span class="soft breaks">
          {[found.partnerName, found.partnerCustomerId].filter(Boolean).join(" · ")} · submitted{" "}
          <Time at={submittedAt} distance />
        </span>
        {!claimedBy && reviewStage === "Queued" && (
          <Button kind="primary" isBusy={step.isBusy} onClick={() => void step.run(api.claim(customerId))}>
            Claim
          </Button>
        )}
        {isMine && claimedUntil && (
          <>
            <ClaimEnd key={claimedUntil} at={claimedUntil} onEnd={() => void reload()} />
            <Button isBusy={step.isBusy} onClick={() => void release()}>
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
                button="Release this case…"
                title={`Release the case of ${claimedBy}?`}
                kind="danger"
                run={release}
              >
                <p>The case returns to the queue. {claimedBy} can no longer decide it.</p>
              </AskButton>
            </div>
          )}
        </Notice>
      )}
      <Failure failure={step.failure} />
    </>
  );
}

const TICK_MS = 5_000;

/** Counts down, and reads the case again when the claim has ended. */
function ClaimEnd({ at, onEnd }: { at: string; onEnd: () => void }) {
  const [now, setNow] = useState(Date.now());
  const isOver = Date.parse(at) <= now;
  useEffect(() => {
    if (isOver) return onEnd();
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  return <span>{isOver ? "Your claim has ended" : `Claimed by you, ends ${asDistance(at, now)}`}</span>;
}
