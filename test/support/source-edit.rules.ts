/** A change of a source file, as text: what a test takes out of the code or puts wrong in it. */

/** A text that occurs once in the file, and what takes its place. */
export type SourceEdit = { file: string; from: string; to: string };
export const edit = (file: string, from: string, to: string): SourceEdit => ({ file, from, to });

/** Fails when the text is not there once: the code has moved on, and the edit must follow. */
export function edited(source: string, { file, from, to }: SourceEdit): string {
  const times = source.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} has "${from}" ${times} times, not once.`);
  return source.replace(from, () => to);
}
