/** Does something with each of a list, a few at a time and in their order. */
const AT_A_TIME = 8;

export async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let start = 0; start < items.length; start += AT_A_TIME)
    done.push(
      ...(await Promise.all(
        items.slice(start, start + AT_A_TIME).map((item, index) => work(item, start + index)),
      )),
    );
  return done;
}
