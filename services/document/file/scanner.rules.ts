/** Meaning of clamd's answers. */

export type ScanVerdict = "clean" | "malware";

/**
 * Throws for everything that is no verdict: an error of the scanner must not pass for a clean file. Early: it answered
 * before it had all of the file, and cannot know that it is clean.
 */
export function readVerdict(answer: string, isEarly: boolean): ScanVerdict {
  const line = answer.endsWith("\0") ? answer.slice(0, -1) : "";
  if (line === "stream: OK" && !isEarly) return "clean";
  if (/^stream: .{1,500} FOUND$/.test(line)) return "malware";
  throw new Error(`The scanner answered ${JSON.stringify(answer.slice(0, 200))}.`);
}
