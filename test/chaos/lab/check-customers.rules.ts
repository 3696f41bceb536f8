/** Creates and changes: each acknowledged one is stored, once, whole, and with its events. */
import type { Customer, RecordedEvent, Snapshot } from "./checker.rules.ts";
import { grouped } from "./grouped.rules.ts";
import type { Change, ChangeKind, Create, Keyed, Ledger } from "./ledger.rules.ts";

type Found = Pick<Snapshot, "customers" | "events">;

export const customerViolations = ({ creates, changes, keyed }: Ledger, found: Found): string[] => [
  ...checkCreates(creates, found.customers),
  ...checkKeyed(keyed),
  ...checkChanges(changes, found.customers),
  ...checkVersions(changes),
  ...checkSequences(found),
  ...checkChangeEvents(changes, found.events),
];

function checkCreates(creates: readonly Create[], customers: readonly Customer[]): string[] {
  const byReference = Map.groupBy(customers, ({ reference }) => reference);
  const asked = new Set(creates.map(({ reference }) => reference));
  const lost = creates.filter(
    ({ verdict, reference, customerId }) =>
      verdict === "acknowledged" && !byReference.get(reference)?.some((one) => one.customerId === customerId),
  );
  // A create of unknown outcome exists as a whole, or not.
  const partial = creates.filter(
    ({ verdict, reference, people, partnerId }) =>
      verdict !== "refused" &&
      byReference.get(reference)?.some((one) => one.people !== people || one.partnerId !== partnerId),
  );
  const refused = creates.filter(
    ({ verdict, reference }) => verdict === "refused" && byReference.has(reference),
  );
  const doubled = [...byReference].filter(([, found]) => found.length > 1);
  const phantoms = customers.filter(({ reference }) => !asked.has(reference));
  return [
    ...grouped("created and lost", lost, referenceOf),
    ...grouped("created in part", partial, referenceOf),
    ...grouped("refused and created all the same", refused, referenceOf),
    ...grouped("created twice", doubled, keyOf),
    ...grouped("a customer nobody asked for", phantoms, referenceOf),
  ];
}

const checkKeyed = (keyed: readonly Keyed[]): string[] =>
  grouped(
    "one Idempotency-Key with several answers",
    keyed.filter(({ values }) => new Set(values).size > 1),
    referenceOf,
  );

/** The changes of a subject are made one after the other: it has the last acknowledged one or an unknown later one. */
function checkChanges(changes: readonly Change[], customers: readonly Customer[]): string[] {
  const values = new Map(customers.flatMap((customer) => [...customer.values]));
  const bySubject = Map.groupBy(changes, ({ kind, subjectId }) => `${kind} ${subjectId}`);
  const wrong = [...bySubject].filter(([subject, made]) => {
    const last = made.findLastIndex(({ verdict }) => verdict === "acknowledged");
    const allowed: (string | null)[] = made
      .filter(({ verdict }, index) => index === last || (index > last && verdict === "unknown"))
      .map(({ value }) => value);
    if (last < 0) allowed.push(null);
    return values.has(subject) && !allowed.includes(values.get(subject) ?? null);
  });
  return grouped("changed otherwise than answered", wrong, keyOf);
}

function checkVersions(changes: readonly Change[]): string[] {
  const won = changes.filter(({ verdict, version }) => verdict === "acknowledged" && version !== null);
  const byVersion = Map.groupBy(won, ({ customerId, version }) => `${customerId} version ${version}`);
  const lost = [...byVersion].filter(([, winners]) => winners.length > 1);
  return grouped("two changes of one version succeeded", lost, keyOf);
}

function checkSequences({ customers, events }: Found): string[] {
  const ofCustomer = Map.groupBy(events, ({ customerId }) => customerId);
  const gaps = customers.flatMap(({ customerId, sequence, people }) => {
    const own = ofCustomer.get(customerId) ?? [];
    const numbers = own.map((event) => event.sequence ?? 0).toSorted((a, b) => a - b);
    const added = own.filter(({ eventType }) => eventType === "business.person.added").length;
    const isGapless = numbers.length === sequence && numbers.every((number, index) => number === index + 1);
    if (isGapless && added === people) return [];
    return [`${customerId} has ${sequence} events, recorded are ${numbers.join(" ") || "none"}`];
  });
  const known = new Set(customers.map(({ customerId }) => customerId));
  const strays = events.filter(({ customerId }) => customerId !== null && !known.has(customerId));
  return [
    ...grouped("a gap in the events of a customer", gaps),
    ...grouped("an event of a customer that does not exist", strays, ({ eventId }) => eventId),
  ];
}

const EVENT_OF: Record<ChangeKind, string> = {
  profile: "business.profile.updated",
  person: "business.person.updated",
  review: "business.verification.updated",
};

/** So the last sequence is at least 1 + people + acknowledged changes. */
function checkChangeEvents(changes: readonly Change[], events: readonly RecordedEvent[]): string[] {
  const recorded = Map.groupBy(events, ({ customerId, eventType }) => `${customerId} ${eventType}`);
  const made = changes.filter(({ verdict }) => verdict === "acknowledged");
  const wanted = Map.groupBy(made, ({ customerId, kind }) => `${customerId} ${EVENT_OF[kind]}`);
  const missing = [...wanted].flatMap(([key, all]) => {
    const found = recorded.get(key)?.length ?? 0;
    return found < all.length ? [`${key}: ${found} of ${all.length}`] : [];
  });
  return grouped("an acknowledged change without its event", missing);
}

const referenceOf = ({ reference }: { reference: string }): string => reference;
const keyOf = ([key]: readonly [string, ...unknown[]]): string => key;
