/** Numbers over time as stacked bars, and the same numbers as a table. */
import { asNumber } from "../core/format.ts";
import type { Tone } from "../core/words.ts";
import { Table } from "./table.tsx";

type Series<Row> = { label: string; tone: Tone; of: (row: Row) => number };
type Props<Row> = {
  caption: string;
  rows: readonly Row[];
  /** The first is at the bottom. */
  series: readonly Series<Row>[];
  labelOf: (row: Row) => string;
  /** Labels repeat when clocks go back; a key does not. */
  keyOf: (row: Row) => string;
};

const HEIGHT = 100;
const BAR = { step: 10, width: 7 };
/** Labels that have room. */
const LABELLED = 7;
/** A single failure among thousands must be visible. */
const LEAST_HEIGHT = 1.5;

export function StackedBars<Row>({ caption, rows, series, labelOf, keyOf }: Props<Row>) {
  const sumOf = ({ of }: Series<Row>) => rows.reduce((sum, row) => sum + of(row), 0);
  const inWords = (numberOf: (each: Series<Row>) => number) =>
    series.map((each) => `${asNumber(numberOf(each))} ${each.label.toLowerCase()}`).join(", ");
  const tallest = Math.max(1, ...rows.map((row) => series.reduce((sum, { of }) => sum + of(row), 0)));
  const labelled = rows.length > LABELLED ? [...rows.slice(0, 1), ...rows.slice(-1)] : rows;
  return (
    <figure class="stack-s">
      <div class="chart">
        <span class="soft small">{asNumber(tallest)}</span>
        <svg
          viewBox={`0 0 ${rows.length * BAR.step} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${caption}: ${inWords(sumOf)}`}
        >
          {rows.map((row, index) => {
            let top = HEIGHT;
            return (
              <g key={keyOf(row)}>
                <title>{`${labelOf(row)}: ${inWords(({ of }) => of(row))}`}</title>
                {series.map(({ label, tone, of }) => {
                  const value = of(row);
                  const height = value === 0 ? 0 : Math.max(LEAST_HEIGHT, (value / tallest) * HEIGHT);
                  const x = index * BAR.step + (BAR.step - BAR.width) / 2;
                  top -= height;
                  return (
                    <rect key={label} class={`fill-${tone}`} {...{ x, height }} y={top} width={BAR.width} />
                  );
                })}
              </g>
            );
          })}
        </svg>
        <div class={labelled === rows ? "axis soft small" : "axis ends soft small"}>
          {labelled.map((row) => (
            <span key={keyOf(row)}>{labelOf(row)}</span>
          ))}
        </div>
      </div>
      <ul class="legend small">
        {series.map((each) => (
          <li key={each.label} class={`fill-${each.tone}`}>
            {each.label} <strong>{asNumber(sumOf(each))}</strong>
          </li>
        ))}
      </ul>
      <details class="small">
        <summary>Show as a table</summary>
        <Table
          caption={caption}
          rows={rows.toReversed()}
          keyOf={keyOf}
          columns={[
            { label: "Time", cell: labelOf },
            ...series.map(({ label, of }) => ({
              label,
              isNumber: true,
              cell: (row: Row) => asNumber(of(row)),
            })),
          ]}
        />
      </details>
    </figure>
  );
}
