/** The documents of a case. */
import type { CaseDetail } from "../../../../shared/action-types/customer.ts";
import { asSize, asWords } from "../../core/format.ts";
import { Badge, Time } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import type { OnFlag } from "./facts.tsx";

type Props = { found: CaseDetail; onFlag: OnFlag };

export function CaseDocuments({ found: { profile }, onFlag }: Props) {
  const nameOf = (uboId: string | null) => {
    const person = profile.businessPersonList.find((each) => each.uboId === uboId);
    return person ? `${person.firstName} ${person.lastName}` : null;
  };
  return (
    <Card title="Documents">
      {profile.documents.length === 0 && <p class="soft">None was uploaded.</p>}
      <ul class="stack-s">
        {profile.documents.map(
          ({ documentId, documentCategory, uboId, status, reason, sizeBytes, confirmedAt }) => {
            const label = [asWords(documentCategory), nameOf(uboId)].filter(Boolean).join(", ");
            return (
              <li key={documentId} class="stack-s">
                <div class="row">
                  <strong>{label}</strong>
                  <Badge tone={status === "Confirmed" ? "good" : "warn"}>{asWords(status)}</Badge>
                  {onFlag && (
                    <Button
                      kind="plain"
                      label={`Flag ${label}`}
                      onClick={() =>
                        onFlag({ kind: "Document", documentCategory, ...(uboId ? { uboId } : {}) }, label)
                      }
                    >
                      Flag
                    </Button>
                  )}
                </div>
                <span class="soft small">
                  {sizeBytes && asSize(sizeBytes)} {reason && asWords(reason)} <Time at={confirmedAt} />
                </span>
              </li>
            );
          },
        )}
      </ul>
    </Card>
  );
}
