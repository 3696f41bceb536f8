/** A document of a case. Pictures are shown here, with zoom and turns; other files open in a tab. */
import { useState } from "preact/hooks";
import type { ViewLink } from "../../../../shared/contract/answers/document.ts";
import { api } from "../../core/api.ts";
import { useAction, useRead } from "../../core/read.ts";
import { Button } from "../../ui/field.tsx";
import { Failure, Loaded } from "../../ui/page.tsx";

type Props = {
  customerId: string;
  documentId: string;
  label: string;
  /** Such as "2 of 3". */
  place: string;
  onStep: { previous: () => void; next: () => void } | null;
  onClose: () => void;
};

export function DocumentViewer({ customerId, documentId, label, place, onStep, onClose }: Props) {
  const renew = () => api.viewLink(customerId, documentId)();
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
              <Button kind="plain" onClick={onStep.previous}>
                Previous
              </Button>
              <Button kind="plain" onClick={onStep.next}>
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
            <OpenInTab link={value} renew={renew} />
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

function OpenInTab({ link, renew }: LinkProps) {
  return (
    <div class="row">
      <NewTab link={link} renew={renew}>
        {link.disposition === "inline" ? "Open in a new tab" : "Download"}
      </NewTab>
      <span class="soft small">{link.fileName}</span>
    </div>
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
