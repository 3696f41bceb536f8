/** A question over the page. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { rememberFocus } from "../core/focus.ts";
import type { ApiFailure } from "../core/http.ts";
import { useAction } from "../core/read.ts";
import { CopyButton } from "./bits.tsx";
import { Button, FormFailure, onSubmit, type Values } from "./field.tsx";
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

type OnceProps = {
  title: string;
  text: string;
  /** Such as "secret". */
  what: string;
  onDone: () => void;
  children: ComponentChildren;
};

/** A text that is never shown again: only the answer that it was stored closes the dialog. */
export function OnceDialog({ title, text, what, onDone, children }: OnceProps) {
  return (
    <Dialog title={title}>
      <p>{children}</p>
      <pre>
        <code>{text}</code>
      </pre>
      <div class="dialog-foot">
        <CopyButton text={text} label={`Copy the ${what}`} />
        <Button kind="primary" onClick={onDone}>
          I copied the {what}
        </Button>
      </div>
    </Dialog>
  );
}

type AskProps = {
  title: string;
  /** Label of the button that confirms. */
  yes: string;
  kind?: "primary" | "danger" | undefined;
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
        <FormFailure.Provider value={failure}>{children}</FormFailure.Provider>
        <Failure failure={failure} />
        <div class="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind={kind} isBusy={isBusy}>
            {yes}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type AskButtonProps = Pick<AskProps, "kind" | "children"> & {
  /** Label of the button on the page, such as "Remove…". Without its dots it is the label of the button that confirms. */
  button: string;
  /** Accessible name of the button on the page, where several have the same words. */
  label?: string;
  title?: string;
  yes?: string;
  run: (values: Values) => Promise<unknown>;
};

/** A button that asks before it does something. */
export function AskButton({ button, label, title, yes, kind, run, children }: AskButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const { failure, isBusy, ...action } = useAction(async (values: Values) => {
    await run(values);
    setAsking(false);
  });
  const does = button.replace("…", "");
  return (
    <>
      <Button kind={kind} label={label} onClick={() => setAsking(true)}>
        {button}
      </Button>
      {isAsking && (
        <AskDialog
          {...{ kind, failure, isBusy, children }}
          title={title ?? `${label ?? does}?`}
          yes={yes ?? does}
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
