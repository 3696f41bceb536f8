/** The documents of a case. Pictures are shown here, with zoom and turns; other files open in a tab. */
import { useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import type { DocumentSummary, ViewLink } from "../../../../shared/contract/answers/document.ts";
import { api } from "../../core/api.ts";
import { asSize, asWords } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { targetLabel } from "../../core/targets.ts";
import { documentWords } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { Card, Failure, Loaded } from "../../ui/page.tsx";
import type { OnFlag } from "./facts.tsx";

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
  const step = (by: number) =>
    open(viewable[(place + by + viewable.length) % viewable.length]?.documentId ?? null);
  return (
    <Card title="Documents">
      {profile.documents.length === 0 && <p class="soft">No documents uploaded.</p>}
      {shown && (
        <DocumentViewer
          key={shown.documentId}
          customerId={customerId}
          documentId={shown.documentId}
          label={labelOf(shown)}
          place={`${place + 1} of ${viewable.length}`}
          onStep={viewable.length > 1 ? step : null}
          onClose={() => setOpenId(null)}
        />
      )}
      <ul class="stack-s">
        {profile.documents.map((document) => {
          const { documentId, documentCategory, uboId, status, reason, sizeBytes, confirmedAt } = document;
          const label = labelOf(document);
          const target = { kind: "Document", documentCategory, ...(uboId ? { uboId } : {}) } as const;
          return (
            <li key={documentId} class="stack-s">
              <div class="row spread">
                <strong>{label}</strong>
                <div class="row">
                  {viewable.includes(document) && (
                    <Button kind="plain" label={`Open ${label}`} onClick={() => open(documentId)}>
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
                <State of={documentWords(status)} />
                <span class="soft small">
                  {sizeBytes !== null && `${asSize(sizeBytes)} · `}
                  {reason && `${asWords(reason)} · `}
                  <Time at={confirmedAt} />
                </span>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

type ViewerProps = {
  customerId: string;
  documentId: string;
  label: string;
  /** Such as "2 of 3". */
  place: string;
  onStep: ((by: number) => void) | null;
  onClose: () => void;
};

function DocumentViewer({ customerId, documentId, label, place, onStep, onClose }: ViewerProps) {
  const renew = api.viewLink(customerId, documentId);
  const link = useRead(documentId, renew);
  return (
    <section class="viewer stack-s" aria-label={`Open document: ${label}`}>
      <div class="row spread">
        <strong>
          {label} <span class="soft small">{place}</span>
        </strong>
        <div class="row">
          {onStep && (
            <>
              <Button kind="plain" onClick={() => onStep(-1)}>
                Previous
              </Button>
              <Button kind="plain" onClick={() => onStep(1)}>
                Next
              </Button>
            </>
          )}
          <Button kind="plain" onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
      <Loaded read={link} lines={6}>
        {(value) =>
          value.contentType.startsWith("image/") ? (
            <Picture link={value} label={label} renew={renew} />
          ) : (
            <div class="row">
              <NewTab link={value} renew={renew}>
                {value.disposition === "inline" ? "Open in a new tab" : "Download"}
              </NewTab>
              <span class="soft small">{value.fileName}</span>
            </div>
          )
        }
      </Loaded>
      <p class="soft small">Opening a document is recorded in the audit log.</p>
    </section>
  );
}

/** A link that ends while the new tab asks for it shows an error of storage. */
const LEAST_LEFT_MS = 3_000;

const ZOOMS = [1, 1.5, 2, 3, 4];
const QUARTER = 90;

type LinkProps = { link: ViewLink; renew: () => Promise<ViewLink> };

function Picture({ link, label, renew }: LinkProps & { label: string }) {
  const [zoom, setZoom] = useState(0);
  const [turns, setTurns] = useState(0);
  const scale = ZOOMS[zoom] ?? 1;
  return (
    <>
      <div class="row">
        <Button onClick={() => setZoom(Math.min(ZOOMS.length - 1, zoom + 1))}>Zoom in</Button>
        <Button onClick={() => setZoom(Math.max(0, zoom - 1))}>Zoom out</Button>
        <Button onClick={() => setTurns(turns + 1)}>Rotate</Button>
        <span class="soft small" role="status">{`${scale * 100} %, ${(turns * QUARTER) % 360}°`}</span>
        <NewTab link={link} renew={renew}>
          New tab
        </NewTab>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its frame is scrolled by keys */}
      <section class="picture" tabIndex={0} aria-label={`Picture of ${label}`}>
        <img
          src={link.url}
          alt={label}
          referrerpolicy="no-referrer"
          style={{ width: `${scale * 100}%`, transform: `rotate(${turns * QUARTER}deg)` }}
        />
      </section>
    </>
  );
}

/** A link lasts a minute; a click after that asks for the next one, which is recorded as well, and opens it. */
function NewTab({ link, renew, children }: LinkProps & { children: string }) {
  const open = useAction(async () => {
    const { url } = await renew();
    window.open(url, "_blank", "noopener,noreferrer");
  });
  return (
    <>
      <a
        class="button"
        href={link.url}
        target="_blank"
        rel="noopener noreferrer"
        referrerpolicy="no-referrer"
        aria-disabled={open.isBusy}
        onClick={(event) => {
          if (Date.parse(link.expiresAt) - LEAST_LEFT_MS > Date.now()) return;
          event.preventDefault();
          void open.run();
        }}
      >
        {children}
      </a>
      <Failure failure={open.failure} />
    </>
  );
}
