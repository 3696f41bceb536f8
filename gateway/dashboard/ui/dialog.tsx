/** A question over the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type DialogProps = {
  title: string;
  children: ComponentChildren;
  /** Left out: it has to be answered, Escape does not close it. */
  onClose?: () => void;
};

export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Without it Chromium closes a dialog on the second Escape, whatever the first was answered.
      closedby={onClose ? "any" : "none"}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <div class="dialog">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

export function DialogFoot({ children }: { children: ComponentChildren }) {
  return <div class="dialog-foot">{children}</div>;
}
