/** Says what is wrong with one thing of a case. */
import { useState } from "preact/hooks";
import type { Flag, Target } from "../core/flags.ts";
import { REASON_OPTIONS } from "../core/words.ts";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { Button, Field, onSubmit, SelectField } from "../ui/field.tsx";

type Props = { target: Target; label: string; onClose: () => void; onFlag: (flag: Flag) => void };

const USUAL: Readonly<Record<Target["kind"], string>> = {
  Business: "Business.NameMismatch",
  Person: "Person.IdentityMismatch",
  Identity: "Person.IdentityNumberInvalid",
  Document: "Document.Unreadable",
};

export function FlagDialog({ target, label, onClose, onFlag }: Props) {
  const [reasonCode, setReasonCode] = useState(USUAL[target.kind]);
  return (
    <Dialog title={`Flag: ${label}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={onSubmit(({ message = "" }) => onFlag({ target, label, reasonCode, message }))}
      >
        <SelectField
          label="Reason"
          name="reasonCode"
          value={reasonCode}
          options={REASON_OPTIONS}
          onChange={setReasonCode}
        />
        <Field label="What the partner should do" name="message">
          {(props) => <textarea required maxLength={2_000} {...props} />}
        </Field>
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button submit kind="primary">
            Flag
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
