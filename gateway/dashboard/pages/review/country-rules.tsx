/** The identity documents of each country: the list, the versions, and a change with each violation at its field. */
import { useState } from "preact/hooks";
import type { CountryConfig, DocumentRule } from "../../../../shared/contract/answers/country.ts";
import { api } from "../../core/api.ts";
import { useCountryName } from "../../core/countries.ts";
import { asWords } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import type { Said } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { Check, Form, TextField, type Values } from "../../ui/field.tsx";
import { Card, Empty, Loaded, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const ACTIVE: Column<CountryConfig> = {
  label: "State",
  cell: ({ active }) => <State of={saidOf(active)} />,
};

const saidOf = (active: boolean): Said =>
  active ? { label: "Accepted", tone: "good" } : { label: "Not accepted", tone: "bad" };

export function CountryRulesPage({ params: { countryCode } }: { params: Record<string, string> }) {
  return countryCode ? <Country countryCode={countryCode} /> : <Countries />;
}

function Countries() {
  const nameOf = useCountryName();
  const rules = useRead("rules", api.countryRules({}));
  return (
    <Page title="Country rules" intro="The identity documents that residents of each country can use.">
      <Loaded read={rules} lines={8}>
        {({ items }) => (
          <Table
            caption="Countries"
            rows={items.toSorted((a, b) => nameOf(a.countryCode).localeCompare(nameOf(b.countryCode)))}
            keyOf={({ countryCode }) => countryCode}
            columns={[
              {
                label: "Country",
                cell: ({ countryCode }) => (
                  <a class="row-link" href={href(`/country-rules/${countryCode}`)}>
                    {nameOf(countryCode)}
                  </a>
                ),
              },
              { label: "Code", cell: ({ countryCode }) => countryCode },
              ACTIVE,
              { label: "Documents", cell: ({ documents }) => labelsOf(documents).join(", ") },
              { label: "Version", cell: ({ version }) => version, isNumber: true },
              { label: "Changed", cell: ({ changedAt }) => <Time at={changedAt} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** A document may have several patterns. */
const labelsOf = (documents: readonly DocumentRule[]): string[] => [
  ...new Set(documents.map(({ label }) => label)),
];

function Country({ countryCode }: { countryCode: string }) {
  const nameOf = useCountryName();
  const versions = useRead(countryCode, api.countryRules({ countryCode, versions: "true" }));
  return (
    <Page
      title={`Rules for ${nameOf(countryCode)}`}
      back={{ href: href("/country-rules"), label: "Country rules" }}
    >
      <Loaded read={versions} lines={8}>
        {({ items }) => {
          const sorted = items.toSorted((a, b) => b.version - a.version);
          const [newest] = sorted;
          if (!newest) return <Empty title="No rules for this country" />;
          return (
            <>
              <Editor key={newest.version} config={newest} onDone={() => void versions.reload()} />
              <Card title="Versions">
                <Table
                  caption="Versions, newest first"
                  rows={sorted}
                  keyOf={({ version }) => String(version)}
                  columns={[
                    { label: "Version", cell: ({ version }) => version },
                    ACTIVE,
                    { label: "Valid from", cell: ({ validFrom }) => <Time at={validFrom} /> },
                    { label: "Changed by", cell: ({ changedBy }) => changedBy },
                    { label: "Reason", cell: ({ reason }) => reason || "–" },
                  ]}
                />
              </Card>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const DEMANDS = [
  ["requiresIssueDate", "Require issue date"],
  ["requiresExpiryDate", "Require expiry date"],
  ["requiresDocument", "Require document"],
  ["checkRefuses", "Refuse a wrong check digit"],
] as const;

function Editor({ config, onDone }: { config: CountryConfig; onDone: () => void }) {
  const [documents, setDocuments] = useState<readonly DocumentRule[]>(config.documents);
  const [active, setActive] = useState(config.active);
  const save = useAction(async ({ reason = "" }: Values) => {
    const body = { active, reason, documents: documents.map(asInput) };
    await api.changeCountryRules(config.countryCode)({ body });
    onDone();
  });
  const change = (index: number, changes: Partial<DocumentRule>) =>
    setDocuments(documents.map((each, at) => (at === index ? { ...each, ...changes } : each)));
  return (
    <Card title={`Version ${config.version}`} actions={<State of={saidOf(config.active)} />}>
      <Form action={save} submit="Save as a new version" kind="primary">
        <Check label="Accept residents of this country" checked={active} onChange={setActive} />
        {documents.map((rule, index) => (
          <fieldset key={rule.identityTypeCode} class="rule">
            <legend>{asWords(rule.identityTypeCode)}</legend>
            <div class="filters">
              <TextField
                label="Label"
                name={`documents[${index}].label`}
                value={rule.label}
                onInput={(event) => change(index, { label: event.currentTarget.value })}
              />
              <TextField
                label="Pattern"
                class="mono"
                name={`documents[${index}].pattern`}
                value={rule.pattern}
                onInput={(event) => change(index, { pattern: event.currentTarget.value })}
              />
            </div>
            <div class="row">
              {DEMANDS.map(([name, label]) => (
                <Check
                  key={name}
                  label={label}
                  checked={rule[name]}
                  onChange={(value) => change(index, { [name]: value })}
                />
              ))}
            </div>
          </fieldset>
        ))}
        <TextField label="Reason" name="reason" hint="Stored with the new version." required />
      </Form>
    </Card>
  );
}

const asInput = ({ minLength: _min, maxLength: _max, check, ...rule }: DocumentRule) => ({
  ...rule,
  ...(check ? { check } : {}),
});
