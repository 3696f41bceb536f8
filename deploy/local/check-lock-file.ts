/** npm run check:lock: says what is wrong with package-lock.json, without the network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../lib/paths.ts";
import { lockFileProblems } from "./lock-file.rules.ts";

const read = (file: string) => JSON.parse(readFileSync(join(projectDir, file), "utf8"));
const problems = lockFileProblems(read("package.json"), read("package-lock.json"));
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
