/** The report of a round, and of all rounds together. */
import { ALL_KINDS, describeFault, type Fault } from "./faults.rules.ts";
import { CREATE_WITHIN_MS } from "./progress.rules.ts";

export type RoundResult = {
  seed: number;
  faults: Fault[];
  isCalm: boolean;
  counts: Record<string, number>;
  /** After the last fault, in time that the machine ran; null: not within the time that was waited. */
  firstCreateMs: number | null;
  emptyMs: number | null;
  /** The part of that time that the host gave to other machines. */
  stolenMs: number;
  violations: string[];
};

const EMPTY_WITHIN_MS = 30_000;
const MUCH_MS = 1_000;

const seconds = (ms: number | null) => (ms === null ? "never" : `${(ms / 1_000).toFixed(1)} s`);

export const describeRound = (round: RoundResult): string[] => [
  `seed ${round.seed}${round.isCalm ? ", calm" : ""}: ${round.faults.map(describeFault).join(", ")}`,
  `  ${Object.entries(round.counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(", ")}`,
  `  after the last fault: first create ${seconds(round.firstCreateMs)}, empty backlog ${seconds(round.emptyMs)}${
    round.stolenMs > MUCH_MS ? `, of which the host took ${seconds(round.stolenMs)}` : ""
  }`,
  ...round.violations.map((violation) => `  VIOLATION ${violation}`),
];

export function recoveryTable(rounds: readonly RoundResult[]): string[] {
  const rows = ALL_KINDS.map((kind) => {
    const having = rounds.filter(({ faults }) => faults.some((fault) => fault.kind === kind));
    const single = having.filter(({ faults }) => faults.length === 1);
    return { kind: kind as string, having, single };
  }).filter(({ having }) => having.length > 0);
  const all = {
    kind: "all",
    having: [...rounds],
    single: rounds.filter(({ faults }) => faults.length === 1),
  };
  const line = ({ kind, having, single }: (typeof rows)[number]) =>
    [kind.padEnd(22), cell(having), cell(single), String(having.filter(isBad).length).padStart(10)].join(
      " | ",
    );
  return [
    [
      "kind".padEnd(22),
      "rounds: create<=5s, empty<=30s",
      "alone:  create<=5s, empty<=30s",
      "violations",
    ].join(" | "),
    ...[...rows, all].map(line),
  ];
}

export const isBad = ({ violations }: RoundResult): boolean => violations.length > 0;

function cell(rounds: readonly RoundResult[]): string {
  if (rounds.length === 0) return "-".padEnd(30);
  const share = (isGood: (round: RoundResult) => boolean) =>
    `${Math.round((100 * rounds.filter(isGood).length) / rounds.length)} %`.padStart(11);
  const created = share(({ firstCreateMs }) => firstCreateMs !== null && firstCreateMs <= CREATE_WITHIN_MS);
  const emptied = share(({ emptyMs }) => emptyMs !== null && emptyMs <= EMPTY_WITHIN_MS);
  return `${String(rounds.length).padStart(5)} ${created} ${emptied}`.padEnd(30);
}
