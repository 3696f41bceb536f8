/** A question over the page. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { rememberFocus } from "../core/focus.ts";
import type { ApiFailure } from "../core/http.ts";
import { useAction } from "../core/read.ts";
import { Button, onSubmit } from "./field.tsx";
import { Failure } from "./page.tsx";

type DialogProps = {
  title: string;
  children: ComponentChildren;
  /** Left out: it has to be answered, Escape does not close it. */
  onClose?: () => void;
};

export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    const giveBack = rememberFocus();
    element?.showModal();
    return () => {
      element?.close();
      giveBack();
    };
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

type Values = Record<string, string>;
type AskProps = {
  title: string;
  /** The words of the button that does it. */
  yes: string;
  kind?: "primary" | "danger";
  isBusy?: boolean;
  failure?: ApiFailure | null;
  /** With what was typed into the fields among the children. */
  onYes: (values: Values) => void;
  onClose: () => void;
  children?: ComponentChildren;
};

/** A step that is confirmed, with what it needs to know. */
export function AskDialog(props: AskProps) {
  const { title, yes, kind = "primary", isBusy = false, failure = null, onYes, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={onSubmit((values) => isBusy || onYes(values))}>
        {children}
        <Failure failure={failure} />
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind={kind} isBusy={isBusy}>
            {yes}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

type AskButtonProps = Pick<AskProps, "title" | "yes" | "kind" | "children"> & {
  /** Label of the button on the page. */
  button: string;
  label?: string;
  run: (values: Values) => Promise<unknown>;
};

/** A button that asks before it does something. */
export function AskButton({ button, label, run, ...asked }: AskButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(async (values: Values) => {
    await run(values);
    setAsking(false);
  });
  const { isBusy, failure } = action;
  return (
    <>
      <Button
        kind={asked.kind === "danger" ? "danger" : undefined}
        onClick={() => setAsking(true)}
        {...(label ? { label } : {})}
      >
        {button}
      </Button>
      {isAsking && (
        <AskDialog
          {...{ ...asked, isBusy, failure }}
          onYes={(values) => void action.run(values)}
          onClose={() => {
            setAsking(false);
            action.clear();
          }}
        />
      )}
    </>
  );
}
