/** Random values of one size, generated many at a time: a question to the system costs more than the encryption. */
import { randomFillSync } from "node:crypto";

const VALUES = 256;

/** Gives each value once. It lies in the pool until its place is filled anew: a secret is cleared after use. */
export function randomPool(bytes: number): () => Buffer {
  const pool = Buffer.alloc(bytes * VALUES);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.subarray(used - bytes, used);
  };
}
