import type { Report } from "../../deploy/local/report.ts";

export const quietReport: Report = {
  say: () => {},
  warn: (line) => void process.stderr.write(`${line}\n`),
  progress: () => {},
};
