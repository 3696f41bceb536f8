/** The number of an identity: masked until the analyst who holds the claim asks for all of it. */
import type { PersonView } from "../../../../shared/action-types/customer.ts";
import { api } from "../../core/api.ts";
import { useAction, useBriefly } from "../../core/read.ts";
import { Button } from "../../ui/field.tsx";
import { Failure } from "../../ui/page.tsx";

type Props = {
  customerId: string;
  person: PersonView;
  /** Of the identity, from 0 on. */
  index: number;
  mayReveal: boolean;
};

export function IdentityNumber({ customerId, person: { uboId, identities }, index, mayReveal }: Props) {
  const { value: whole, show, hide } = useBriefly<string>();
  const reveal = useAction(async () =>
    show((await api.revealIdentity(customerId, uboId, index)()).identityValue),
  );
  const identity = identities[index];
  return (
    <>
      <code>{whole ?? identity?.identityValue}</code>
      {identity?.expiryDate && <span class="soft"> valid until {identity.expiryDate}</span>}
      {mayReveal && (
        <Button
          kind="plain"
          isBusy={reveal.isBusy}
          label={`${whole ? "Hide" : "Reveal"} the number`}
          onClick={() => (whole ? hide() : void reveal.run())}
        >
          {whole ? "Hide" : "Reveal"}
        </Button>
      )}
      <Failure failure={reveal.failure} />
    </>
  );
}
