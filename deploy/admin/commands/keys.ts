/** Operator commands for the keys that sign access tokens, and for those that seal fields in the databases. */
import type { KeyCount, KeySweep, KeySweepRequest } from "../../../shared/contract/actions/field-keys.ts";
import { isAppError } from "../../../shared/errors.ts";
import { retry } from "../../../shared/retry.ts";
import {
  type AdminCall,
  type Command,
  type CommandInput,
  flag,
  optional,
  type Row,
  textOf,
  UsageError,
} from "../command.ts";

/** The services that store values under each set. */
const SETS = {
  identity: ["profile.sweepFieldKeys"],
  token: ["auth-token.sweepFieldKeys"],
  webhook: ["webhook-registry.sweepFieldKeys", "delivery.sweepFieldKeys"],
} as const;
type KeySet = keyof typeof SETS;
type Sweep = (typeof SETS)[KeySet][number];

/** A service that was killed is back by then; the sweep continues at its position. */
const PATIENCE = { firstWaitMs: 500, maxWaitMs: 5_000, withinMs: 90_000 };

const options = { set: optional("set", `only this one: ${Object.keys(SETS).join(", ")}`) };
const columns = ["set", "store", "key", "use", "values"];

export const keyCommands: readonly Command[] = [
  {
    name: "key rotate",
    summary: "Create the next key that signs access tokens; tokens of the previous key stay valid",
    options: {
      immediately: flag("sign with it immediately and refuse all tokens of earlier keys (after a leak)"),
    },
    columns: ["kid", "signsFrom"],
    example: "key rotate",
    run: ({ call, options: { immediately } }) =>
      call("auth-token.rotateSigningKey", { immediately: immediately === true }),
  },
  {
    name: "field-key list",
    anonymous: true,
    summary: "Count the stored values under each field key",
    options,
    columns,
    example: "field-key list",
    run: (input) => sweepSets(input, false),
  },
  {
    name: "field-key reseal",
    summary: "Seal every value with the newest field key of its set; may be stopped and run again",
    options,
    columns: [...columns, "resealed", "unreadable"],
    example: "field-key reseal --set identity",
    run: (input) => sweepSets(input, true),
  },
];

async function sweepSets(input: CommandInput, reseal: boolean): Promise<Row[]> {
  const rows: Row[] = [];
  for (const set of wantedSets(textOf(input, "set")))
    for (const sweep of SETS[set]) rows.push(...(await sweepService(input.call, set, sweep, reseal)));
  return rows;
}

function wantedSets(wanted: string): KeySet[] {
  const all = Object.keys(SETS) as KeySet[];
  if (wanted === "") return all;
  if (!Object.hasOwn(SETS, wanted)) throw new UsageError(`--set must be one of ${all.join(", ")}.`);
  return [wanted as KeySet];
}

async function sweepService(call: AdminCall, set: KeySet, sweep: Sweep, reseal: boolean): Promise<Row[]> {
  const counts = new Map<string, KeyCount>();
  const done = { resealed: 0, unreadable: 0 };
  let position: string | null = null;
  do {
    const request: KeySweepRequest = { position, reseal };
    const answer: KeySweep = await retry(() => call(sweep, request), { ...PATIENCE, isPassing });
    for (const count of answer.counts) {
      const name = `${count.store} ${count.keyId}`;
      counts.set(name, { ...count, values: count.values + (counts.get(name)?.values ?? 0) });
    }
    done.resealed += answer.resealed;
    done.unreadable += answer.unreadable;
    position = answer.next;
  } while (position !== null);
  const rows = [...counts.values()].map(({ keyId, ...count }) => ({ set, key: keyId, ...count }));
  return reseal ? rows.map((row) => ({ ...row, ...done })) : rows;
}

const isPassing = (error: unknown): boolean => !isAppError(error) || error.code >= 500;
