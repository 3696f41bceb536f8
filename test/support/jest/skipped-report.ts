/** Names every skipped test before the summary of a run. */
import { relative } from "node:path";

type Result = { testFilePath: string; testResults: { fullName: string; status: string }[] };

export default class SkippedReport {
  readonly #config: { rootDir: string; testNamePattern?: string };

  constructor(config: { rootDir: string; testNamePattern?: string }) {
    this.#config = config;
  }

  onRunComplete(_contexts: unknown, { testResults }: { testResults: readonly Result[] }): void {
    const { rootDir, testNamePattern } = this.#config;
    // With -t, every other test counts as skipped.
    if (testNamePattern) return;
    const lines = testResults.flatMap(({ testFilePath, testResults: tests }) =>
      tests
        .filter(({ status }) => status === "pending")
        .map(({ fullName }) => `  ${relative(rootDir, testFilePath)}: ${fullName}\n`),
    );
    if (lines.length > 0) process.stderr.write(`\nSkipped tests:\n${lines.toSorted().join("")}`);
  }
}
