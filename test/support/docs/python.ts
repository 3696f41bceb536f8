/** Tests that need Python. */
import { spawnSync } from "node:child_process";
import { testIf } from "../skipped.ts";

const isAtHand =
  spawnSync("python3", ["-c", "import sys, cryptography; sys.exit(sys.version_info < (3, 10))"]).status === 0;

export const testWithPython = (name: string, run: () => void | Promise<void>): void =>
  testIf(isAtHand, "needs python3 from 3.10 on with cryptography")(name, run);
