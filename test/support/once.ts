/** For what the parts of one test file share: started by the first that asks. */
export function once<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | null = null;
  return () => {
    started ??= start();
    return started;
  };
}
