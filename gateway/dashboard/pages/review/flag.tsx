/** Says what is wrong with one thing of a case. */
import { useState } from "preact/hooks";
import type { Flag, Target } from "../../core/flags.ts";
import { REASON_OPTIONS } from "../../core/words.ts";
import { AskDialog } from "../../ui/dialog.tsx";
import { SelectField, TextArea } from "../../ui/field.tsx";

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
    <AskDialog
      title={`Flag: ${label}`}
      yes="Flag"
      onYes={({ message = "" }) => onFlag({ target, reasonCode, message })}
      onClose={onClose}
    >
      <SelectField
        label="Reason"
        name="reasonCode"
        value={reasonCode}
        options={REASON_OPTIONS}
        onChange={setReasonCode}
      />
      <TextArea label="What the partner should do" name="message" maxLength={2_000} required />
    </AskDialog>
  );
}
