/** Rejects when an answer takes longer than allowed; the work behind it goes on and its outcome is ignored. */
export async function withDeadline<T>(
  answer: Promise<T>,
  ms: number,
  lateError: () => Error = () => new Error(`no answer within ${ms} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lateError()), Math.max(0, ms));
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
