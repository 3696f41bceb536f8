/** Takes a part of the page out of the document and brings it back as it was, with its drafts. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type Props = { isClosed: boolean; children: ComponentChildren };

export function Curtain({ isClosed, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // After every drawing: one that happens meanwhile may put it back.
  useLayoutEffect(() => {
    const [outer, inner] = [place.current, content.current];
    if (!outer || !inner) return;
    if (isClosed) inner.remove();
    else if (!inner.isConnected) {
      outer.append(inner);
      // Outside the document a dialog is no longer over the page.
      for (const dialog of inner.querySelectorAll("dialog")) {
        dialog.removeAttribute("open");
        dialog.showModal();
      }
    }
  });
  return (
    <div ref={place}>
      <div ref={content}>{children}</div>
    </div>
  );
}
