/** Notes of analysts on a case; partners never see them. */
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import { api } from "../../core/api.ts";
import { useAction } from "../../core/read.ts";
import { Timeline } from "../../ui/bits.tsx";
import { Button, onSubmit, TextArea } from "../../ui/field.tsx";
import { Card, Failure } from "../../ui/page.tsx";

type Props = { found: CaseDetail; reload: () => Promise<void> };

export function CaseNotes({ found: { customerId, notes }, reload }: Props) {
  const add = useAction(async (text: string) => {
    await api.addNote(customerId)({ body: { text } });
    await reload();
  });
  return (
    <Card title="Internal notes">
      <Timeline
        moments={notes.map(({ noteId, at, by, text }) => ({
          key: noteId,
          at,
          title: by,
          body: <p>{text}</p>,
        }))}
      />
      <form
        // A note that is written down leaves an empty field.
        key={notes.length}
        class="stack"
        onSubmit={onSubmit(({ text = "" }) => void add.run(text))}
      >
        <TextArea
          label="New note"
          name="text"
          hint="Only analysts see it. It cannot be changed or removed."
          maxLength={2_000}
          failure={add.failure}
          required
        />
        <Failure failure={add.failure} />
        <div>
          <Button submit isBusy={add.isBusy}>
            Add note
          </Button>
        </div>
      </form>
    </Card>
  );
}
