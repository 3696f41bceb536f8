import { expect, test } from "@jest/globals";
import type { FieldKey } from "../../../shared/config/config.ts";
import type { AuditLink, ChainHead, ChainLink } from "../../../shared/contract/actions/audit.ts";
import { createAuditSeals, createChainCheck } from "../../../shared/stores/audit-chain.rules.ts";

const keyOf = (id: string): FieldKey => ({ id, key: Buffer.alloc(32, id) });
const [KEY, NEWER] = [keyOf("a"), keyOf("b")];
const HOUR_MS = 3_600_000;
const START = Date.parse("2026-03-01T00:00:00.000Z");
const at = (hours: number): string => new Date(START + hours * HOUR_MS).toISOString();

type Entry = { id: string; at: string; note: unknown; chain: ChainLink };

/** The entries `<chain>1` … of one process, an hour apart. */
function entriesOf(chain: string, count: number, more: { heads?: ChainHead[]; keys?: FieldKey[] } = {}) {
  const seals = createAuditSeals(more.keys ?? [KEY]);
  const entries: Entry[] = [];
  for (let n = 1; n <= count; n += 1) {
    const before = entries.at(-1);
    const link = { id: chain, n, before: before?.chain.hash ?? null, beforeAt: before?.at ?? null };
    const heads = n === 1 && more.heads ? { heads: more.heads } : {};
    const note = { b: [n, null], a: new Date(START) };
    entries.push(seals.sealed({ id: `${chain}${n}`, at: at(n), note, chain: { ...link, ...heads } }));
  }
  return entries;
}

const headOf = ({ at: since, chain: { id, n, hash } }: Entry): ChainHead => ({ id, n, hash, at: since });

function linkOf(entry: Entry, keys: readonly FieldKey[]): AuditLink {
  return { id: entry.id, at: entry.at, state: createAuditSeals(keys).judge(entry), chain: entry.chain };
}

function check(
  links: readonly AuditLink[],
  limits: { expiredBefore?: number; known?: readonly ChainHead[]; settledBefore?: number } = {},
) {
  const chainCheck = createChainCheck({
    expiredBefore: START,
    settledBefore: START + 99 * HOUR_MS,
    ...limits,
  });
  for (const link of links) chainCheck.take(link);
  return chainCheck.finish();
}
const checkEntries = (entries: readonly Entry[], keys: readonly FieldKey[] = [KEY]) =>
  check(entries.map((entry) => linkOf(entry, keys)));
const without = (entries: readonly Entry[], ...ids: string[]) =>
  entries.filter(({ id }) => !ids.includes(id));

test("an untouched chain has no problem and reports its head", () => {
  const entries = entriesOf("x", 4);
  const last = entries.at(-1) as Entry;
  expect(checkEntries(entries)).toEqual({
    ...{ entries: 4, unsealed: 0, problems: [] },
    heads: [headOf(last)],
  });
});

test("an entry read from the database in another field order is sound", () => {
  const [{ id, at: time, note, chain }] = entriesOf("x", 1) as [Entry];
  const reordered = { chain, note: { ...(note as object), absent: undefined }, at: time, id };
  expect(createAuditSeals([KEY]).judge(reordered)).toBe("sound");
});

test.each<[string, (entries: Entry[]) => Entry[], string]>([
  ["removed", (all) => without(all, "x3"), "1 entries before x4 were removed"],
  ["removed with its neighbour", (all) => without(all, "x2", "x3"), "2 entries before x4 were removed"],
  ["removed from the beginning", (all) => without(all, "x1"), "1 entries before x2 were removed"],
  [
    "changed",
    (all) => all.map((each) => (each.id === "x3" ? { ...each, note: "other" } : each)),
    "x3 was changed",
  ],
  ["moved", ([a, b, c, d]) => [a, c, b, d] as Entry[], "x2 was inserted or moved: its chain is past it"],
  [
    "sealed under another key of the same id",
    (all) => [...all.slice(0, 3), ...entriesOf("x", 4, { keys: [{ id: "a", key: NEWER.key }] }).slice(3)],
    "x4 was changed",
  ],
  [
    "given a shorter seal",
    (all) => all.map((each) => (each.id === "x4" ? { ...each, chain: { ...each.chain, seal: "s" } } : each)),
    "x4 was changed",
  ],
])("an entry that was %s is reported", (_, attack, problem) => {
  expect(checkEntries(attack(entriesOf("x", 4))).problems).toContain(problem);
});

test("an entry of another chain with the right number is reported", () => {
  const [first, second] = entriesOf("x", 2) as [Entry, Entry];
  const foreign = linkOf({ ...second, chain: { ...second.chain, before: "other" } }, [KEY]);
  const report = check([linkOf(first, [KEY]), { ...foreign, state: "sound" }]);
  expect(report.problems).toEqual(["x2 does not follow the entry before it"]);
});

test("entries missing before the retention limit have expired, and those after it were removed", () => {
  const links = entriesOf("x", 4)
    .slice(2)
    .map((entry) => linkOf(entry, [KEY]));
  expect(check(links, { expiredBefore: START + 3 * HOUR_MS }).problems).toEqual([]);
  expect(check(links, { expiredBefore: START + 2 * HOUR_MS }).problems).toHaveLength(1);
});

test("the end of a chain is vouched for by the first entry of the next chain and by an earlier report", () => {
  const entries = entriesOf("x", 3);
  const known = [headOf(entries.at(-1) as Entry)];
  const kept = without(entries, "x2", "x3");
  const next = entriesOf("y", 1, { heads: known });
  const removed = "entries after the last one of chain x were removed:";
  expect(checkEntries([...entries, ...next]).problems).toEqual([]);
  expect(checkEntries([...kept, ...next]).problems).toEqual([`${removed} the entry y1 names number 3`]);
  const links = kept.map((entry) => linkOf(entry, [KEY]));
  const earlier = [`${removed} an earlier verification names number 3`];
  expect(check(links, { known }).problems).toEqual(earlier);
  expect(check([], { known }).problems).toEqual(earlier);
  expect(check(links, { known, expiredBefore: START + 4 * HOUR_MS }).problems).toEqual([]);
  const late = [...kept, ...next].map((entry) => linkOf(entry, [KEY]));
  expect(check(late, { settledBefore: START }).problems).toEqual([]);
});

test("entries under a removed key are unsealed until a later chain vouches for them", () => {
  const entries = entriesOf("x", 3);
  expect(checkEntries(entries, [NEWER])).toMatchObject({ unsealed: 3, problems: [] });
  const [, second] = entries as [Entry, Entry];
  const next = entriesOf("y", 1, { heads: [headOf(second)], keys: [NEWER, KEY] });
  expect(checkEntries([...entries, ...next], [NEWER])).toMatchObject({ unsealed: 1, problems: [] });
});

test("without any key an entry cannot be sealed", () => {
  const [entry] = entriesOf("x", 1, { keys: [] });
  expect(entry?.chain).toMatchObject({ keyId: "", seal: "" });
  expect(checkEntries([entry as Entry], [])).toMatchObject({ unsealed: 1 });
});

test("an entry outside any chain is reported as inserted", () => {
  const unchained = (id: string, hours: number): AuditLink => ({
    id,
    at: at(hours),
    state: "sound",
    chain: null,
  });
  const chained = entriesOf("x", 1).map((entry) => linkOf(entry, [KEY]));
  const report = check([unchained("before", 0), ...chained, unchained("after", 3)]);
  expect(report).toMatchObject({ entries: 3 });
  expect(report.problems).toEqual([
    "before was inserted: it is in no chain",
    "after was inserted: it is in no chain",
  ]);
});
