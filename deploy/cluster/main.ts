/** Refuses an overlay whose installation.yaml still has placeholders: `deploy/run-node deploy/cluster/main.ts <overlay>`. */
import { installationProblems } from "./installation.rules.ts";
import { readInstallation } from "./read-installation.ts";

const [overlay = ""] = process.argv.slice(2);
const problems = installationProblems(readInstallation(overlay));
for (const problem of problems) console.error(`${overlay}/installation.yaml: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
