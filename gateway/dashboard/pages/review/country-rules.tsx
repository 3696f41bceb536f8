/** Which identities a country's people can use: the list, the versions, and a change with each violation at its field. */
import { useState } from "preact/hooks";
import type { CountryConfig, DocumentRule } from "../../../../shared/contract/answers/country.ts";
import { api } from "../../core/api.ts";
import { useCountryName } from "../../core/countries.ts";
import { asWords } from "../../core/format.ts";
import { useAction, useRead } from "../../core/read.ts";
import { href } from "../../core/router.ts";
import type { Said } from "../../core/words.ts";
import { State, Time } from "../../ui/bits.tsx";
import { Button, Check, onSubmit, TextField } from "../../ui/field.tsx";
import { Card, Empty, Failure, Loaded, Notice, Page } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";

export function CountryRulesPage({ params: { countryCode } }: { params: Record<string, string> }) {
  return countryCode ? <Country countryCode={countryCode} /> : <Countries />;
}

function Countries() {
  const nameOf = useCountryName();
  const rules = useRead("rules", () => api.countryRules({})());
  return (
    <Page
      title="Country rules"
      intro="Which identity documents are accepted from people living in a country."
    >
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
              { label: "State", cell: ({ active }) => <State of={saidOf(active)} /> },
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

const saidOf = (active: boolean): Said =>
  active ? { label: "Accepted", tone: "good" } : { label: "Not accepted", tone: "bad" };

function Country({ countryCode }: { countryCode: string }) {
  const nameOf = useCountryName();
  const versions = useRead(countryCode, () => api.countryRules({ countryCode, versions: "true" })());
  const newest = versions.value?.items.reduce<CountryConfig | null>(
    (best, each) => (best && best.version > each.version ? best : each),
    null,
  );
  return (
    <Page
      title={`Rules of ${nameOf(countryCode)}`}
      back={{ href: href("/country-rules"), label: "Country rules" }}
    >
      <Loaded read={versions} lines={8}>
        {({ items }) =>
          newest ? (
            <>
              <Editor key={newest.version} config={newest} onDone={() => void versions.reload()} />
              <Card title="Versions">
                <Table
                  caption="Versions, newest first"
                  rows={items.toSorted((a, b) => b.version - a.version)}
                  keyOf={({ version }) => String(version)}
                  columns={[
                    { label: "Version", cell: ({ version }) => version },
                    { label: "State", cell: ({ active }) => <State of={saidOf(active)} /> },
                    { label: "From", cell: ({ validFrom }) => <Time at={validFrom} /> },
                    { label: "By", cell: ({ changedBy }) => changedBy },
                    { label: "Reason", cell: ({ reason }) => reason || "–" },
                  ]}
                />
              </Card>
            </>
          ) : (
            <Empty title="There are no rules for this country." />
          )
        }
      </Loaded>
    </Page>
  );
}

const DEMANDS = [
  ["requiresIssueDate", "Issue date"],
  ["requiresExpiryDate", "Expiry date"],
  ["requiresDocument", "Document"],
  ["checkRefuses", "Wrong check digit refuses"],
] as const;

function Editor({ config, onDone }: { config: CountryConfig; onDone: () => void }) {
  const [documents, setDocuments] = useState<readonly DocumentRule[]>(config.documents);
  const [active, setActive] = useState(config.active);
  const save = useAction(async (reason: string) => {
    const body = { active, reason, documents: documents.map(asInput) };
    await api.changeCountryRules(config.countryCode)({ body });
    onDone();
  });
  const change = (index: number, changes: Partial<DocumentRule>) =>
    setDocuments(documents.map((each, at) => (at === index ? { ...each, ...changes } : each)));
  return (
    <form class="stack" onSubmit={onSubmit(({ reason = "" }) => void save.run(reason))}>
      <Card title={`Version ${config.version}`} actions={<State of={saidOf(config.active)} />}>
        <Check label="People living there are accepted" checked={active} onChange={setActive} />
        {documents.map((rule, index) => (
          <fieldset key={rule.identityTypeCode} class="rule">
            <legend>{asWords(rule.identityTypeCode)}</legend>
            <div class="filters">
              <TextField
                label="Label"
                name={`documents[${index}].label`}
                value={rule.label}
                failure={save.failure}
                onInput={(label) => change(index, { label })}
              />
              <TextField
                label="Pattern"
                class="mono"
                name={`documents[${index}].pattern`}
                value={rule.pattern}
                failure={save.failure}
                onInput={(pattern) => change(index, { pattern })}
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
        <TextField label="Reason" name="reason" hint="For the record." required failure={save.failure} />
        <Failure failure={save.failure} />
        {save.isBusy && <Notice tone="info">Saving…</Notice>}
        <div>
          <Button submit kind="primary" isBusy={save.isBusy}>
            Save as a new version
          </Button>
        </div>
      </Card>
    </form>
  );
}

const asInput = ({ minLength: _min, maxLength: _max, check, ...rule }: DocumentRule) => ({
  ...rule,
  ...(check ? { check } : {}),
});
