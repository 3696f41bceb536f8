/** Meaning of clamd's answers. */

export type ScanVerdict = "clean" | "malware";

/** Throws for any other answer and for an early "OK": before the end of the file no scanner can have checked it. */
export function readVerdict(answer: string, isEarly: boolean): ScanVerdict {
  const line = answer.endsWith("\0") ? answer.slice(0, -1) : "";
  if (line === "stream: OK" && !isEarly) return "clean";
  if (/^stream: .{1,500} FOUND$/.test(line)) return "malware";
  throw new Error(`The scanner answered ${JSON.stringify(answer.slice(0, 200))}.`);
}
