/** The documents of a case, one of them open beside the facts. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import type { DocumentSummary } from "../../../../shared/contract/answers/document.ts";
import { asSize, asWords } from "../../core/format.ts";
import { targetLabel } from "../../core/target-label.ts";
import { Badge, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import type { OnFlag } from "./facts.tsx";
import { DocumentViewer } from "./viewer.tsx";

type Props = { found: CaseDetail; onFlag: OnFlag; onOpen: (documentId: string) => void };

export function CaseDocuments({ found: { customerId, profile }, onFlag, onOpen }: Props) {
  const [openId, setOpenId] = useState<string | null>(null);
  const open = (documentId: string | null) => {
    setOpenId(documentId);
    if (documentId) onOpen(documentId);
  };
  const viewable = profile.documents.filter(({ status }) => status === "Confirmed");
  const place = viewable.findIndex(({ documentId }) => documentId === openId);
  const shown = viewable[place];
  const labelOf = (document: DocumentSummary) => targetLabel({ kind: "Document", ...document }, profile);
  const step = (by: number) => {
    const next = viewable[(place + by + viewable.length) % viewable.length];
    return () => open(next?.documentId ?? null);
  };
  return (
    <Card title="Documents">
      {profile.documents.length === 0 && <p class="soft">No document was uploaded.</p>}
      {shown && (
        <DocumentViewer
          key={shown.documentId}
          customerId={customerId}
          documentId={shown.documentId}
          label={labelOf(shown)}
          place={`${place + 1} of ${viewable.length}`}
          onStep={viewable.length > 1 ? { previous: step(-1), next: step(1) } : null}
          onClose={() => setOpenId(null)}
        />
      )}
      <ul class="stack-s">
        {profile.documents.map((document) => (
          <Row
            key={document.documentId}
            document={document}
            label={labelOf(document)}
            onOpen={viewable.includes(document) ? () => open(document.documentId) : null}
            onFlag={onFlag}
          />
        ))}
      </ul>
    </Card>
  );
}

type RowProps = {
  document: DocumentSummary;
  label: string;
  /** Null for one that never arrived, or did not pass. */
  onOpen: (() => void) | null;
  onFlag: OnFlag;
};

function Row({ document, label, onOpen, onFlag }: RowProps) {
  const { documentCategory, uboId, status, reason, sizeBytes, confirmedAt } = document;
  const target = { kind: "Document", documentCategory, ...(uboId ? { uboId } : {}) } as const;
  return (
    <li class="stack-s">
      <div class="row spread">
        <strong>{label}</strong>
        <div class="row">
          {onOpen && (
            <Button kind="plain" label={`Open ${label}`} onClick={onOpen}>
              Open
            </Button>
          )}
          {onFlag && (
            <Button kind="plain" label={`Flag ${label}`} onClick={() => onFlag(target)}>
              Flag
            </Button>
          )}
        </div>
      </div>
      <div class="row">
        <Badge tone={status === "Confirmed" ? "good" : "warn"}>{asWords(status)}</Badge>
        <span class="soft small">
          {[sizeBytes && asSize(sizeBytes), reason && asWords(reason), <Time key="at" at={confirmedAt} />]
            .filter(Boolean)
            .flatMap((part, index) => (index === 0 ? [part] : [" · ", part]))}
        </span>
      </div>
    </li>
  );
}
