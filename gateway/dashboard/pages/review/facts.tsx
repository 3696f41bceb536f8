/** The facts of a case in sections, each with the remarks about it and a way to flag it. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CaseDetail } from "../../../../shared/contract/answers/case.ts";
import type { Address, PersonView } from "../../../../shared/contract/answers/customer.ts";
import { api } from "../../core/api.ts";
import { asWords } from "../../core/format.ts";
import { useAction } from "../../core/read.ts";
import { type Flag, isSameTarget, type Target, targetLabel } from "../../core/targets.ts";
import { Badge } from "../../ui/bits.tsx";
import { Button } from "../../ui/field.tsx";
import { Card, Failure } from "../../ui/page.tsx";
import { Facts } from "../../ui/table.tsx";

export type OnFlag = ((target: Target) => void) | null;
type Props = { found: CaseDetail; flags: readonly Flag[]; onFlag: OnFlag };

const BUSINESS_FIELDS = [
  "companyName",
  "tradingName",
  "registrationNumber",
  "registrationDate",
  "businessTypeCode",
  "incorporationCountryIso3Code",
  "industry",
  "description",
  "website",
  "email",
  "phoneNumber",
] as const;

const PERSON_FIELDS = [
  "birthDate",
  "nationality",
  "taxResidenceCountry",
  "placeOfBirthCountry",
  "email",
  "phone",
  "jobTitle",
  "percentageShare",
  "taxIdentificationNumber",
] as const;

const CODES = new Set<string>(["businessTypeCode", "industry"]);

export function CaseFacts({ found, flags, onFlag }: Props) {
  const { profile } = found;
  const line = (target: Target, label: string, value: ComponentChildren, remarkField = target.field) =>
    [label, <Line {...{ found, flags, onFlag, target, remarkField }}>{value}</Line>] as const;
  const business = (field: string, value: ComponentChildren) =>
    line({ kind: "Business", field }, asWords(field), value);
  return (
    <>
      <Card title="Company">
        <Facts
          items={[
            ...BUSINESS_FIELDS.map((field) =>
              business(field, CODES.has(field) ? profile[field] && asWords(profile[field]) : profile[field]),
            ),
            business("addresses", <Addresses addresses={profile.addresses} />),
            ...(profile.financials
              ? Object.entries(profile.financials).map(
                  ([name, value]) => [asWords(name), asWords(value)] as const,
                )
              : []),
          ]}
        />
      </Card>
      {profile.businessPersonList.length === 0 && (
        <Card title="People">
          <p class="soft">No owners or directors were given.</p>
        </Card>
      )}
      {profile.businessPersonList.map((person) => (
        <Card
          key={person.uboId}
          title={[person.firstName, person.middleName, person.lastName].filter(Boolean).join(" ")}
          actions={person.ownershipType.map((type) => <Badge key={type}>{asWords(type)}</Badge>)}
        >
          <Facts
            items={[
              ...PERSON_FIELDS.map((field) =>
                line({ kind: "Person", uboId: person.uboId, field }, asWords(field), person[field]),
              ),
              line(
                { kind: "Person", uboId: person.uboId, field: "address" },
                "Address",
                <Addresses addresses={[person.address]} />,
              ),
              ["Politically exposed", inWords(person.isPoliticallyExposed)],
              ["Authorised signatory", inWords(person.isAuthorizedSignatory)],
              ...person.identities.map(({ identityTypeCode, issuingCountry }, index) =>
                line(
                  {
                    kind: "Identity",
                    uboId: person.uboId,
                    field: "identityValue",
                    identityTypeCode,
                    issuingCountry,
                  },
                  `${asWords(identityTypeCode)} (${issuingCountry})`,
                  <IdentityNumber {...{ found, person, index }} mayReveal={onFlag !== null} />,
                  `identities[${index}].identityValue`,
                ),
              ),
            ]}
          />
        </Card>
      ))}
    </>
  );
}

const inWords = (value: boolean | null) => (value === null ? null : value ? "Yes" : "No");

type LineProps = Props & {
  target: Target;
  /** As remarks name it. */
  remarkField: string | undefined;
  children: ComponentChildren;
};

function Line({ found, flags, onFlag, target, remarkField, children }: LineProps) {
  const remarks = found.remarks.filter(
    (remark) => remark.field === remarkField && remark.uboId === (target.uboId ?? null),
  );
  const flag = flags.find((each) => isSameTarget(each.target, target));
  return (
    <div class="fact-line">
      <span>{children ?? <span class="soft">not given</span>}</span>
      {onFlag && (
        <Button
          kind="plain"
          onClick={() => onFlag(target)}
          label={`Flag ${targetLabel(target, found.profile)}`}
        >
          {flag ? "Flagged" : "Flag"}
        </Button>
      )}
      {remarks.map(({ code, message }) => (
        <span key={code} class="remark">
          {message}
        </span>
      ))}
      {flag && <span class="remark">{flag.message}</span>}
    </div>
  );
}

function Addresses({ addresses }: { addresses: readonly Address[] }) {
  if (addresses.length === 0) return <span class="soft">none</span>;
  return (
    <>
      {addresses.map(({ streetLine1, streetLine2, city, state, postalCode, countryCode }) => (
        <div key={streetLine1 + postalCode}>
          {[streetLine1, streetLine2, `${postalCode} ${city}`, state, countryCode].filter(Boolean).join(", ")}
        </div>
      ))}
    </>
  );
}

type IdentityProps = { found: CaseDetail; person: PersonView; index: number; mayReveal: boolean };

const REVEALED_MS = 60_000;

/** Masked until the analyst who claimed the case asks for all of it, and again after a minute. */
function IdentityNumber({ found, person: { uboId, identities }, index, mayReveal }: IdentityProps) {
  // Another version of the customer may have another number.
  const { version } = found.profile;
  const [revealed, setRevealed] = useState<{ number: string; version: number } | null>(null);
  const reveal = useAction(async () => {
    const { identityValue } = await api.revealIdentity(found.customerId, uboId, index)();
    setRevealed({ number: identityValue, version });
  });
  const whole = mayReveal && revealed?.version === version ? revealed.number : null;
  useEffect(() => {
    if (whole === null) return setRevealed(null);
    const timer = setTimeout(() => setRevealed(null), REVEALED_MS);
    return () => clearTimeout(timer);
  }, [whole]);
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
          onClick={() => (whole ? setRevealed(null) : void reveal.run())}
        >
          {whole ? "Hide" : "Reveal"}
        </Button>
      )}
      <Failure failure={reveal.failure} />
    </>
  );
}
