/** The number of an identity: masked until the analyst who holds the claim asks for all of it, and after a minute. */
import { useEffect } from "preact/hooks";
import type { PersonView } from "../../../../shared/contract/answers/customer.ts";
import { api } from "../../core/api.ts";
import { useAction, useBriefly } from "../../core/read.ts";
import { Button } from "../../ui/field.tsx";
import { Failure } from "../../ui/page.tsx";

type Props = {
  customerId: string;
  /** Version of the customer; another version may have another number. */
  version: number;
  person: PersonView;
  /** Index of the identity, from 0. */
  index: number;
  mayReveal: boolean;
};

export function IdentityNumber(props: Props) {
  const { customerId, version, person, index, mayReveal } = props;
  const { uboId, identities } = person;
  const revealed = useBriefly<{ number: string; version: number }>();
  const reveal = useAction(async () => {
    const { identityValue } = await api.revealIdentity(customerId, uboId, index)();
    revealed.show({ number: identityValue, version });
  });
  const whole = mayReveal && revealed.value?.version === version ? revealed.value.number : null;
  const isStale = revealed.value !== null && whole === null;
  useEffect(() => {
    if (isStale) revealed.hide();
  }, [isStale]);
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
          onClick={() => (whole ? revealed.hide() : void reveal.run())}
        >
          {whole ? "Hide" : "Reveal"}
        </Button>
      )}
      <Failure failure={reveal.failure} />
    </>
  );
}
