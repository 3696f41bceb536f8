/**
 * Fences: a method of a repository reaches the record that its arguments name, in the state that it is for, and no other.
 * A row of a table becomes one test of the call that reaches its record, and one of each call that must reach nothing.
 */
import { describe, expect, test } from "@jest/globals";
import type { Connection, mongo } from "mongoose";
import { AppError } from "../../shared/errors.ts";
import type { DeclaredCollection } from "../../shared/mongo/collections.rules.ts";
import { collectionOf } from "../../shared/mongo/mongo.ts";

/** Fields of a record; `undefined` is an absent field. */
type State<R> = { [Field in keyof R]?: R[Field] | undefined };

type Fence<R> = {
  /** Differences from the usual record. */
  given?: State<R>;
  /** The same for a second record, which no call may change; by default `given`. */
  others?: State<R>;
  call(read: R): unknown;
  /** Fields that select the record, by default its id: with another value in one of them the call reaches nothing. */
  by?: readonly (keyof R & string)[];
  /** States of the record, reached since it was read, in which the call reaches nothing. */
  unless?: Record<string, State<R>>;
  /** The changes of a write; null when it removes the record. */
  becomes?: State<R> | null;
  /** By default its id, true, a number above zero or fields of the record. */
  answers?(read: R): unknown;
  /** A second call with the same record reaches nothing. */
  once?: true;
};

export function fences<R extends { _id: string }>(
  connection: Connection,
  collection: DeclaredCollection<R>,
  make: (given: Partial<R>) => R,
  table: Record<string, Fence<R>>,
): void {
  const records = collectionOf(connection, collection) as unknown as mongo.Collection<{ _id: string }>;
  // Some writes wait for one server, so a majority read could be too early to show them.
  const stored = () =>
    records
      .find({}, { readConcern: { level: "local" } })
      .sort({ _id: 1 })
      .toArray();

  async function store({ given = {}, others = given }: Fence<R>, state: State<R> = {}): Promise<R> {
    const mine = make(given as Partial<R>);
    await records.deleteMany({});
    await records.insertMany([{ ...mine, ...state }, make(others as Partial<R>)]);
    return mine;
  }

  async function reaches({ call, becomes, answers, ...fence }: Fence<R>): Promise<void> {
    const mine = await store({ call, ...fence });
    const others = (await stored()).filter(({ _id }) => _id !== mine._id);
    const answer = await call(mine);
    const after = becomes === null ? [] : [{ ...mine, ...becomes }];
    expect(await stored()).toEqual([...others, ...after].toSorted((a, b) => (a._id < b._id ? -1 : 1)));
    if (becomes !== undefined) expect(after).not.toEqual([mine]);
    const [first = becomes !== undefined, ...more] = [answer].flat();
    expect(more.length === 0 || answers).toBeTruthy();
    if (answers) expect(answer).toEqual(answers(mine));
    else if (typeof first === "string") expect(first).toBe(mine._id);
    else if (typeof first === "object") expect(after).toMatchObject([{ ...first, _id: mine._id }]);
    else expect(first).toBeTruthy();
  }

  async function reachesNothing({ call }: Fence<R>, read: R): Promise<void> {
    const before = await stored();
    const answer = await answerOf(() => call(read));
    expect(await stored()).toEqual(before);
    expect(isNothing(answer) ? null : answer).toBeNull();
  }

  describe(collection.name, () => {
    for (const [method, fence] of Object.entries(table)) {
      test(`${method}: reaches its record and no other`, () => reaches(fence));

      for (const field of fence.by ?? ["_id" as const])
        test(`${method}: with another ${field} reaches nothing`, async () => {
          const mine = await store(fence);
          await reachesNothing(fence, { ...mine, [field]: anotherThan(mine[field]) });
        });

      for (const [reason, state] of Object.entries(fence.unless ?? {}))
        test(`${method}: reaches nothing: ${reason}`, async () =>
          reachesNothing(fence, await store(fence, state)));

      if (fence.once)
        test(`${method}: a second time reaches nothing`, async () => {
          const mine = await store(fence);
          await fence.call(mine);
          await reachesNothing(fence, mine);
        });
    }
  });
}

function anotherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 7;
  if (typeof value === "boolean") return !value;
  return value instanceof Date ? new Date(value.getTime() + 7) : "none";
}

/** A refused call has no answer. */
async function answerOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const isNothing = (answer: unknown): boolean => !answer || (Array.isArray(answer) && answer.length === 0);
